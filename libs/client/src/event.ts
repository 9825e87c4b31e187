import { type CallOptions, callSettings } from './client-options.js';
import type { components, operations } from './contract.generated.js';
import { UnexpectedResponseError } from './errors.js';
import { toInt64 } from './int64.js';
import { toJson } from './json.js';
import { LARGEST_PAGE } from './pagination.js';
import type { Success } from './read-response.js';
import type { Call } from './transport.js';
import { linkParameter } from './web-link.js';

/**
 * One change (`docs/contract.md`, "Events"). More types and members are added over time: ignore those that the program
 * does not know. `isEvent` tells them apart.
 */
export type PetStoreEvent = Readonly<components['schemas']['Event']>;

/** Parameters of the feed. */
export interface ListEvents {
  /**
   * Only events behind this position. `latest` for none, to get the position of now; without it the oldest events that
   * are kept come first. A number is taken too, if it is exact.
   */
  readonly after?: bigint | number | 'latest' | undefined;
  /** Most events of a page, 1 to 100; 100 unless said. */
  readonly limit?: number | undefined;
  /** Only events of this resource. */
  readonly resource?: NonNullable<operations['listEvents']['parameters']['query']>['resource'] | undefined;
}

/** One page of the feed, which may be empty. */
export interface EventPage {
  /** Oldest first. */
  readonly events: readonly PetStoreEvent[];
  /** Where to go on: store it together with what was made of the events, and give it as `after`. */
  readonly position: bigint;
  /** Whether there were no more events at the moment of the response. */
  readonly isCaughtUp: boolean;
}

/** One event, and the position to go on from when it has been processed. */
export interface PositionedEvent {
  readonly event: PetStoreEvent;
  readonly position: bigint;
}

/** @throws RangeError for a position that is a number and not exact */
export function listEventsCall(
  { after, limit = LARGEST_PAGE, resource }: ListEvents,
  options: CallOptions,
): Call {
  const search = new URLSearchParams({ limit: String(limit) });
  if (after !== undefined) search.set('after', after === 'latest' ? after : String(toInt64('after', after)));
  if (resource !== undefined) search.set('resource', resource);
  return {
    operation: 'listEvents',
    method: 'GET',
    path: `/events?${search.toString()}`,
    repeatable: true,
    ...callSettings(options),
  };
}

/** @throws UnexpectedResponseError if the response does not say where to go on, as when a gateway removes `Link` */
export function toEventPage({ headers, body }: Success, { limit = LARGEST_PAGE }: ListEvents): EventPage {
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
