import { presentMembersJsonOf } from './fields-json.js';
import { NEW_PET_FIELDS, type Pet } from './pet.js';
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
const AROUND_PET = ['{"pet":', '}'] as const;

export const PetEvent = {
  /** With the full animal, and the old values of what was changed. */
  updated: (before: Pet, after: Pet): PetEvent => ({
    type: 'pet.updated',
    data: `{"pet":${petJson(after)},"previous":${previousJson(previousValues(before, after))}}`,
  }),
  /** With the last state of the animal. */
  deleted: (pet: Pet): PetEvent => ({ type: 'pet.deleted', data: AROUND_PET.join(petJson(pet)) }),
  CREATED: 'pet.created' satisfies PetEventType,
  /**
   * Around the JSON of the animal, which makes the data of an event that holds nothing else: for `pet.created`, whose
   * animal only the store knows.
   */
  AROUND_PET,
} as const;
