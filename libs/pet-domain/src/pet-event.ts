import { type DomainEvent, type EventDeclarations, eventOf } from './event-declaration.js';
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

export type PetEvent = DomainEvent<keyof typeof PET_EVENTS>;

const previousJson = jsonTextOf<NewPet>(NEW_PET_FIELDS);

export const PetEvent = {
  created: (pet: Pet): PetEvent => eventOf('pet.created', { pet: petJson(pet) }),
  /** With the full animal, and the old values of what was changed. */
  updated: (pet: Pet, previous: PreviousPet): PetEvent =>
    eventOf('pet.updated', { pet: petJson(pet), previous: previousJson(previous) }),
  /** With the whole profile, `{}` when it was emptied. */
  profileUpdated: (pet: Pet, profile: PetProfile): PetEvent =>
    eventOf('pet.profile_updated', { pet: petJson(pet), profile }),
  /** With the last state of the animal. */
  deleted: (pet: Pet): PetEvent => eventOf('pet.deleted', { pet: petJson(pet) }),
} as const;
