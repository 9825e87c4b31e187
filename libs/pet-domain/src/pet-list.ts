import type { CategoryId } from './category.js';
import type { Page, PageRequest } from './page.js';
import { PetId } from './pet.js';
import type { PetStatus } from './pet-status.js';

/** Which animals a list has: those that meet every condition that is given; all of them when none is. */
export interface PetFilter {
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

/** Animals that are asked for by their ids (`docs/contract.md`, Lists). */
export const PetIdList = {
  /** Most different ids in a list. */
  MAX,
  /** Longest text of a list, in characters: repetitions may be in it. */
  MAX_LENGTH,
  /**
   * The different ids that `text` lists in plain decimal digits with a comma between them, in the order of their
   * first appearance; `undefined` when anything else is in it, or more than {@link PetIdList.MAX} different ids, or when
   * the text is longer than {@link PetIdList.MAX_LENGTH}.
   */
  parse(text: string): readonly PetId[] | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const ids = new Set<PetId>();
    let end = -1;
    do {
      const start = end + 1;
      end = text.indexOf(',', start);
      const part = end === -1 ? text.slice(start) : text.slice(start, end);
      // A repeated id costs one look-up.
      if (ids.has(part as PetId)) continue;
      const id = PetId.parse(part);
      if (id === undefined || ids.size === MAX) return undefined;
      ids.add(id);
    } while (end !== -1);
    return [...ids];
  },
} as const;
