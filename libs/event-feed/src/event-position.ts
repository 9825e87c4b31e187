import { type Branded, int64, INT64_MAX } from '@petstore/pet-domain';

/**
 * Position of an event in the feed: 1 to 2^63 - 1 in plain decimal digits, without gaps, later is greater. As a
 * position to read from it can also be 0: the beginning.
 */
export type EventPosition = Branded<string, 'EventPosition'>;

export const EventPosition = {
  ...int64<EventPosition>(0),
  MAX: INT64_MAX as EventPosition,
  /** Less than 0 when `one` is before `other`, 0 when both are the same. */
  compare(one: EventPosition, other: EventPosition): number {
    if (one.length !== other.length) return one.length - other.length;
    return one === other ? 0 : one < other ? -1 : 1;
  },
} as const;
