import type { PetFilter } from './pet-filter.js';
import type { PetId } from './pet-id.js';

/** Which animals to list, and from where: newest first, the greatest id at the top. */
export interface PetPageRequest extends PetFilter {
  /** Most animals in the page, {@link PageLimit.MIN} to {@link PageLimit.MAX}. */
  readonly limit: number;
  /** Only animals with a smaller id: the last one of the page before. */
  readonly before?: PetId | undefined;
  /** Whether each animal has its profile with it, if it has one. */
  readonly withProfiles?: boolean | undefined;
}

/** Animals to list by their ids, all at once. */
export interface PetsByIdsRequest extends PetFilter {
  /** Different ids, 1 to `PetIdList.MAX` of them; one that no animal has is passed over. */
  readonly ids: readonly PetId[];
  /** As for a page. */
  readonly withProfiles?: boolean | undefined;
}

/** One page of animals, as readers get it. */
export interface PetPage {
  /** A JSON array of pets (specification, section 2, Pets). */
  readonly json: string;
  /** The last animal of the page; `undefined` when the page is empty. */
  readonly last: PetId | undefined;
  /** Whether older animals follow. */
  readonly more: boolean;
}

const MIN = 1;
const MAX = 100;
const PLAIN = /^[1-9][0-9]{0,2}$/;

/** The page size of a list (specification, section 4.1). */
export const PageLimit = {
  MIN,
  MAX,
  DEFAULT: 20,
  /** The limit that `text` spells in plain decimal digits, or `undefined`: out of range is refused, never clamped. */
  parse(text: string): number | undefined {
    const limit = PLAIN.test(text) ? Number(text) : 0;
    return limit >= MIN && limit <= MAX ? limit : undefined;
  },
} as const;
