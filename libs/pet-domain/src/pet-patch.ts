import { InvalidStatusTransitionError } from './invalid-status-transition.error.js';
import { NEW_PET_FIELDS, type NewPet, type Pet } from './pet.js';
import { type PetHold, PetHeldByOrderError } from './pet-hold.js';
import { isAllowedTransition } from './pet-status-transitions.js';

/** What is to become of an animal; what is left out stays as it is. */
export type PetPatch = { readonly [Field in keyof NewPet]?: NewPet[Field] | undefined };

const FIELDS = Object.keys(NEW_PET_FIELDS) as readonly (keyof NewPet)[];

/**
 * The animal after a change; `pet` itself when nothing changes.
 *
 * @param hold of an order on the animal
 * @throws {PetHeldByOrderError} when the status would change against the order
 * @throws {InvalidStatusTransitionError}
 */
export function patchPet(pet: Pet, patch: PetPatch, hold?: PetHold): Pet {
  const changed = FIELDS.filter((field) => patch[field] !== undefined && patch[field] !== pet[field]);
  if (changed.length === 0) return pet;
  const { status: to = pet.status } = patch;
  if (hold !== undefined && to !== pet.status) throw new PetHeldByOrderError(hold);
  if (!isAllowedTransition(pet.status, to)) throw new InvalidStatusTransitionError(pet.status, to);
  return { ...pet, ...Object.fromEntries(changed.map((field) => [field, patch[field]])) };
}

/** What those fields held before that a change has changed. */
export function previousValues(before: Pet, after: Pet): PetPatch {
  return Object.fromEntries(
    FIELDS.filter((field) => before[field] !== after[field]).map((field) => [field, before[field]]),
  );
}
