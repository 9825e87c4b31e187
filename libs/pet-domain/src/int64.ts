import type { Branded } from './value-types.js';

/** Largest signed 64-bit integer, 2^63 - 1, as its decimal digits. */
export const INT64_MAX = '9223372036854775807';

const CANONICAL = /^[1-9][0-9]{0,18}$/;

/**
 * Whether `text` is an identifier of the contract: an int64 from 1 to 2^63 - 1 in plain decimal
 * digits, without sign or leading zero (specification, section 2: `integer`, `int64`).
 *
 * An int64 travels through this service as these digits, from the socket to the column and back,
 * and never as a JavaScript number: a double is exact only up to 2^53.
 */
export function isPositiveInt64(text: string): boolean {
  // Of two digit strings of the same length the larger number is the one that sorts last.
  return CANONICAL.test(text) && (text.length < INT64_MAX.length || text <= INT64_MAX);
}

/** An identifier of one kind of thing: the decimal digits of an int64 from 1 to 2^63 - 1 (specification, section 2). */
export type Int64Id<Kind extends string> = Branded<string, Kind>;

export interface Int64Ids<Id> {
  /** What is allowed, as a refusal says it: "categoryId must be ...". */
  readonly description: string;
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): Id | undefined;
}

/** What reads identifiers of one kind. */
export function int64Id<Id extends Int64Id<string>>(): Int64Ids<Id> {
  return {
    description: `a whole number from 1 to ${INT64_MAX}`,
    parse: (text) => (isPositiveInt64(text) ? (text as Id) : undefined),
  };
}
