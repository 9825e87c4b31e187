import type { PetFilter } from './pet-filter.js';
import type { PetId } from './pet-id.js';

/** A position in a list, bound to the filter of that list. */
export interface PetListPosition extends PetFilter {
  /** Id of the last animal already seen. */
  readonly before: PetId;
}
