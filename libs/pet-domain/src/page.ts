/** A page to list: the greatest id first. */
export interface PageRequest<Id> {
  /** Most items in the page, {@link PageLimit.MIN} to {@link PageLimit.MAX}. */
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
