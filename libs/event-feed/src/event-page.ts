import { EventPosition } from './event-position.js';
import type { EventVisibility } from './event-visibility.js';

/** What is read of the feed. */
export interface EventPageRequest {
  /** Only events behind this one; `latest` for none, from the oldest one that is kept when left out. */
  readonly after?: EventPosition | 'latest' | undefined;
  /** Most events of the page. */
  readonly limit: number;
  readonly visibility: EventVisibility;
}

/** Some events, oldest first. */
export interface EventPage {
  /** A JSON array. */
  readonly json: string;
  /**
   * Where to go on reading without missing anything: the last event of a full page, else the newest event of the feed
   * at that moment, whatever it is about.
   */
  readonly position: EventPosition;
}

/** The feed cannot be read from a position: events behind it were removed, or it was never given out. */
export class PositionGoneError extends Error {
  override readonly name = 'PositionGoneError';

  constructor(
    /** Events up to this one are no longer kept. */
    readonly first: EventPosition,
    /** The newest event. */
    readonly newest: EventPosition,
    /** Whether the position is beyond the newest event: it was never given out. */
    readonly isBeyondNewest: boolean,
  ) {
    super(`The feed holds the events after ${first} up to ${newest}.`);
  }
}

/** What the feed holds: the events after one position up to another. */
export interface FeedLimits {
  readonly first: EventPosition;
  readonly newest: EventPosition;
}

/** @throws {PositionGoneError} when the feed does not hold all events after a position */
export function requireKept(after: EventPosition, { first, newest }: FeedLimits): void {
  const isBeyondNewest = EventPosition.compare(after, newest) > 0;
  if (isBeyondNewest || EventPosition.compare(after, first) < 0)
    throw new PositionGoneError(first, newest, isBeyondNewest);
}
