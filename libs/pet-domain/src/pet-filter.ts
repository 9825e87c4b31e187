import type { CategoryId } from './category-id.js';
import type { PetStatus } from './pet-status.js';

/** Which animals a list has: those that meet every condition that is given; all of them when none is. */
export interface PetFilter {
  /** Only animals of this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals of this category. */
  readonly categoryId?: CategoryId | undefined;
}
