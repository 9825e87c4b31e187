import { jsonTextOf, presentMembersJsonOf } from './fields-json.js';
import { NEW_PET_FIELDS, type NewPet, type Pet, PET_FIELDS } from './pet.js';
import { petJson } from './pet-json.js';
import { type PetPatch, previousValues } from './pet-patch.js';

/** What can happen to an animal; exactly one event for each change (docs/contract.md, "Events"). */
export type PetEventType = 'pet.created' | 'pet.updated' | 'pet.deleted';

/** An event of an animal that has no position yet. */
export interface PetEvent {
  readonly type: PetEventType;
  /** The member `data` of the event as JSON text. */
  readonly data: string;
}

const previousJson = presentMembersJsonOf<PetPatch>(NEW_PET_FIELDS);
const newPetJson = jsonTextOf<NewPet>(NEW_PET_FIELDS);

export const PetEvent = {
  /** With the full animal, and the old values of what was changed. */
  updated: (before: Pet, after: Pet): PetEvent => ({
    type: 'pet.updated',
    data: `{"pet":${petJson(after)},"previous":${previousJson(previousValues(before, after))}}`,
  }),
  /** With the last state of the animal. */
  deleted: (pet: Pet): PetEvent => ({ type: 'pet.deleted', data: `{"pet":${petJson(pet)}}` }),
  /**
   * The data of `pet.created` before and after the id of an animal, which only the store knows:
   * `CREATED_BEFORE_ID + id + createdAfterId(pet)`.
   */
  CREATED: 'pet.created' satisfies PetEventType,
  CREATED_BEFORE_ID: '{"pet":{"id":',
  createdAfterId: (pet: NewPet): string => `,${newPetJson(pet).slice(1)}}`,
} as const;

// Else the id would not be where the store puts it.
if (Object.keys(PET_FIELDS)[0] !== 'id') throw new Error('The first field of an animal must be its id.');
