import { integer } from './values.js';

/** A page to list: the greatest id first. */
export interface PageRequest<Id> {
  /** Most items in the page, 1 to {@link PageLimit.MAX}. */
  readonly limit: number;
  /** Only items with a smaller id: the last one of the page before. */
  readonly before?: Id | undefined;
}

/** One page of a list, as readers get it. */
export interface Page<Id> {
  /** A JSON array. */
  readonly json: string;
  /** The last item of the page; `undefined` when the page is empty. */
  readonly last: Id | undefined;
  /** Whether items with smaller ids follow. */
  readonly more: boolean;
}

/** The page size of a list (docs/contract.md, "Lists"): out of range it is refused, never clamped. */
export const PageLimit = { ...integer({ least: 1, most: 100 }), MAX: 100, DEFAULT: 20 } as const;
