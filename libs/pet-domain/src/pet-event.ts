import type { EventDeclarations } from './event-declaration.js';
import { jsonTextOf } from './fields.js';
import { NEW_PET_FIELDS, type NewPet, type Pet, petJson, type PreviousPet } from './pet.js';
import type { PetProfile } from './pet-profile.js';

/** What can happen to an animal; exactly one event for each change (docs/contract.md, "Events"). */
export const PET_EVENTS = {
  'pet.created': ['pet'],
  'pet.updated': ['pet', 'previous'],
  'pet.profile_updated': ['pet', 'profile'],
  'pet.deleted': ['pet'],
} as const satisfies EventDeclarations;

export type PetEventType = keyof typeof PET_EVENTS;

/** An event of an animal that has no position yet. */
export interface PetEvent {
  readonly type: PetEventType;
  /** The member `data` of the event as JSON text. */
  readonly data: string;
}

const previousJson = jsonTextOf<NewPet>(NEW_PET_FIELDS);

export const PetEvent = {
  created: (pet: Pet): PetEvent => ({ type: 'pet.created', data: `{"pet":${petJson(pet)}}` }),
  /** With the full animal, and the old values of what was changed. */
  updated: (pet: Pet, previous: PreviousPet): PetEvent => ({
    type: 'pet.updated',
    data: `{"pet":${petJson(pet)},"previous":${previousJson(previous)}}`,
  }),
  /** With the whole profile, `{}` when it was emptied. */
  profileUpdated: (pet: Pet, profile: PetProfile): PetEvent => ({
    type: 'pet.profile_updated',
    data: `{"pet":${petJson(pet)},"profile":${profile}}`,
  }),
  /** With the last state of the animal. */
  deleted: (pet: Pet): PetEvent => ({ type: 'pet.deleted', data: `{"pet":${petJson(pet)}}` }),
} as const;
