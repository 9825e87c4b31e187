import type { PetStatus } from './pet-status.js';
import { STATUS_TRANSITIONS } from './pet-status-transitions.js';

/** The status of an animal was to be changed in a way that {@link STATUS_TRANSITIONS} refuses. */
export class InvalidStatusTransitionError extends Error {
  override readonly name = 'InvalidStatusTransitionError';

  constructor(
    readonly from: PetStatus,
    readonly to: PetStatus,
  ) {
    super(
      `The status cannot change from ${from} to ${to}; from ${from} it can become ${STATUS_TRANSITIONS[from].join(' or ')}.`,
    );
  }
}
