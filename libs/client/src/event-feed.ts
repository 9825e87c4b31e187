import { toInt64 } from './int64.js';
import type { LimitState } from './limit-state.js';
import { brokenList, nextOf } from './next-page.js';
import { LARGEST_PAGE } from './pagination.js';
import type { RawResponse } from './read-response.js';
import type { EventPage, ListEvents, PetStoreEvent, PositionedEvent } from './resources.js';

/** Milliseconds between two requests, however large the plan is. */
const SHORTEST_INTERVAL_MS = 1_000;

/** Milliseconds between two requests, however small the plan is. */
const LONGEST_INTERVAL_MS = 86_400_000;

/** Milliseconds where the limits are unknown: a gateway or browser may hide their header fields. */
const INTERVAL_OF_UNKNOWN_LIMITS_MS = 60_000;

/** Part of each window that polling may use; the rest is for the other requests of the key. */
const SHARE = 0.5;

/** The query of a page. @throws RangeError for a position that is a number and not exact */
export function feedQuery({ after, limit = LARGEST_PAGE, resource }: ListEvents): object {
  const position = after === undefined || after === 'latest' ? after : toInt64('after', after);
  return { limit, after: position, resource };
}

/**
 * @throws UnexpectedResponseError if the response does not say where to go on, as when a gateway removes `Link`, or
 *   leads back
 */
export function toEventPage(
  { response, body }: { readonly response: RawResponse; readonly body: readonly PetStoreEvent[] },
  { after, limit = LARGEST_PAGE }: ListEvents,
): EventPage {
  const next = nextOf(response, 'after', 'listEvents') ?? '';
  const position = /^\d{1,19}$/.test(next) ? BigInt(next) : undefined;
  if (position === undefined || (typeof after !== 'string' && position < (after ?? 0)))
    throw brokenList('The page of events does not say where to go on', 'listEvents', response);
  return { events: body, position, isCaughtUp: body.length < limit };
}

/** Each event of a page with its position. Behind the last one nothing is left up to the position of the page. */
export function* positioned({ events, position }: EventPage): Generator<PositionedEvent, void, undefined> {
  for (const [n, event] of events.entries()) {
    yield { event, position: n === events.length - 1 ? position : event.id };
  }
}

/** Milliseconds between two requests of a program that polls all day. */
export function pollInterval(limits: LimitState | undefined): number {
  const windows = limits?.windows ?? [];
  if (windows.length === 0) return INTERVAL_OF_UNKNOWN_LIMITS_MS;
  const intervals = windows.map(({ seconds, quota }) => (seconds * 1_000) / (quota * SHARE));
  return Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ...intervals.map(Math.ceil)));
}
