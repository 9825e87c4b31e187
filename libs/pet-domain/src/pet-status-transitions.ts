import type { PetStatus } from './pet-status.js';

/**
 * The statuses that `updatePet` may give an animal, by the one that it has (docs/contract.md, "Changing an animal"). A
 * creation may set any. `pending` means promised to an adopter, so an animal that was returned is `available` first.
 */
export const STATUS_TRANSITIONS: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: ['available'],
};

/** Whether `updatePet` may give the status `to` to an animal of the status `from`; the same status is no change. */
export function isAllowedTransition(from: PetStatus, to: PetStatus): boolean {
  return from === to || STATUS_TRANSITIONS[from].includes(to);
}
