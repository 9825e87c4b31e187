import type { EventResource } from './event.js';
import type { EventPosition } from './event-position.js';

/** Which events about orders somebody sees; others are for everybody. `keyId`: those of orders that this key placed. */
export type OrderEventsSeen = 'none' | 'all' | { readonly keyId: string };

/** What is read of the feed. */
export interface EventPageRequest {
  /** Only events behind this one; `latest` for none, from the oldest one that is kept when left out. */
  readonly after?: EventPosition | 'latest' | undefined;
  /** Most events of the page. */
  readonly limit: number;
  readonly orders: OrderEventsSeen;
  /** Only events about this. */
  readonly resource?: EventResource | undefined;
}

/** Some events, oldest first. */
export interface EventPage {
  /** A JSON array in UTF-8. */
  readonly json: Uint8Array;
  /**
   * How far was read: whoever goes on from here misses nothing. The last event of a full page, else the newest event
   * of the feed at that moment, whatever it is about.
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
    /** Whether the position is behind the newest event: it was never given out. */
    readonly isBeyondNewest: boolean,
  ) {
    super(`The feed holds the events after ${first} up to ${newest}.`);
  }
}

/** Everything that has happened, in one order that never changes. A port; an adapter implements it. */
export interface EventFeed {
  /**
   * A reader that has read up to a position has everything up to it for ever: nothing is ever put before it.
   *
   * @throws {PositionGoneError}
   * @throws {StoreUnavailableError}
   */
  read(request: EventPageRequest): Promise<EventPage>;
}
