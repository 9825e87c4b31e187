declare const brand: unique symbol;

/**
 * Position of an event in the feed: 1 to 2^63 - 1 in plain decimal digits, without gaps, later is greater. As a
 * position to read from it can also be 0: the beginning.
 */
export type EventPosition = string & { readonly [brand]: 'EventPosition' };

const MAX = '9223372036854775807';
const PLAIN = /^(?:0|[1-9][0-9]{0,18})$/;

export const EventPosition = {
  MAX: MAX as EventPosition,
  /** The position that `text` spells, or `undefined`. */
  parse(text: string): EventPosition | undefined {
    if (!PLAIN.test(text) || (text.length === MAX.length && text > MAX)) return undefined;
    return text as EventPosition;
  },
  /** Less than 0 when `one` is before `other`, 0 when both are the same. */
  compare(one: EventPosition, other: EventPosition): number {
    if (one.length !== other.length) return one.length - other.length;
    return one === other ? 0 : one < other ? -1 : 1;
  },
} as const;
