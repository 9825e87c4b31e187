import type { CategoryId } from './category.js';
import type { Page, PageRequest } from './page.js';
import { PetId } from './pet.js';
import type { PetSearch } from './pet-search.js';
import type { PetStatus } from './pet-status.js';
import { setOf } from './values.js';

/** Which animals a list has: those that meet every condition that is given; all of them when none is. */
export interface PetFilter extends PetSearch {
  /** Only animals of this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals of this category. */
  readonly categoryId?: CategoryId | undefined;
}

/** Which animals to list, and from where: newest first. */
export interface PetPageRequest extends PageRequest<PetId>, PetFilter {
  /** Whether each animal has its profile with it, if it has one. */
  readonly withProfiles?: boolean | undefined;
}

/** Animals to list by their ids, all at once. */
export interface PetsByIdsRequest extends PetFilter {
  /** Different ids, 1 to {@link PetIdList.MAX} of them; one that no animal has is passed over. */
  readonly ids: readonly PetId[];
  /** As for a page. */
  readonly withProfiles?: boolean | undefined;
}

export type PetPage = Page<PetId>;

const MAX = 100;
/** Twice what 100 ids can take. */
const MAX_LENGTH = 4_096;

/** Animals that are asked for by their ids (`docs/contract.md`, Lists), in the order of their first appearance. */
export const PetIdList = {
  ...setOf(PetId, {
    most: MAX,
    maxLength: MAX_LENGTH,
    mayRepeat: true,
    description: `1 to ${MAX} different ids in plain decimal digits`,
  }),
  /** Most different ids in a list. */
  MAX,
} as const;
