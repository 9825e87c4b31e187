import { toInt64 } from './json.js';
import type { LimitState } from './limit-state.js';
import { brokenList, LARGEST_PAGE, nextOf } from './pagination.js';
import type { RawResponse } from './read-response.js';
import type { EventPage, ListEvents, NewWebhook, PetStoreEvent, PositionedEvent } from './resources.js';

/** A type, or all types of one resource, also those that are added later. */
export type EventPattern = NonNullable<NewWebhook['types']>[number];

/** Every type of event that this version of the client knows. */
export type EventType = Exclude<EventPattern, `${string}.*`>;

/** An event of these types, with what it has for certain. */
export type EventOf<Pattern extends EventPattern> = Pattern extends `${infer Resource}.${string}`
  ? PetStoreEvent & { readonly type: TypeOf<Pattern>; readonly data: DataOf<Resource | MoreOf<Pattern>> }
  : never;

type TypeOf<Pattern extends EventPattern> = Pattern extends `${infer Resource}.*`
  ? `${Resource}.${string}`
  : Pattern;

/** What events of a type have beside their resource. */
type MoreOf<Pattern extends EventPattern> = Pattern extends 'pet.profile_updated' ? 'profile' : never;

/** `{ pet: Pet }` for `pet`. */
type DataOf<Resource extends string> = Readonly<
  Required<Pick<PetStoreEvent['data'], Resource & keyof PetStoreEvent['data']>>
>;

/**
 * Whether an event has one of these types: `isEvent(event, 'order.placed')`, `isEvent(event, 'pet.*')`. The compiler then
 * knows what it is about.
 */
export function isEvent<Pattern extends EventPattern>(
  event: PetStoreEvent,
  ...patterns: readonly Pattern[]
): event is EventOf<Pattern> {
  const [resource = ''] = event.type.split('.', 1);
  // A type that is added later might be about something else than its name says.
  if (!(resource in event.data)) return false;
  return (patterns as readonly string[]).some((each) => each === event.type || each === `${resource}.*`);
}

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
