import { UnexpectedResponseError } from './errors.js';
import { toInt64 } from './int64.js';
import { toJson } from './json.js';
import type { LimitState } from './limit-state.js';
import { LARGEST_PAGE } from './pagination.js';
import type { EventPage, ListEvents, PetStoreEvent, PositionedEvent } from './resources.js';
import { linkParameter } from './response-headers.js';

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

/** @throws UnexpectedResponseError if the response does not say where to go on, as when a gateway removes `Link` */
export function toEventPage(
  { headers, body }: { readonly headers: Headers; readonly body: unknown },
  { limit = LARGEST_PAGE }: ListEvents,
): EventPage {
  const position = linkParameter(headers, 'after') ?? '';
  if (!Array.isArray(body) || !/^\d{1,19}$/.test(position)) {
    const message =
      'The page of events does not say where to go on: something in between has removed its Link.';
    throw new UnexpectedResponseError(message, 200, toJson(body), 'listEvents');
  }
  return { events: body as PetStoreEvent[], position: BigInt(position), isCaughtUp: body.length < limit };
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
