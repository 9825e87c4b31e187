import type { PetId } from './pet-id.js';
import type { PetStatus } from './pet-status.js';

/** A position in a list, bound to the filter of that list. */
export interface PetListPosition {
  /** The filter of the list the position is in; `undefined` for all animals. */
  readonly status: PetStatus | undefined;
  /** Id of the last animal already seen. */
  readonly before: PetId;
}
