import type { EventPosition, EventVisibility } from '@petstore/event-feed';
import { isPositiveInt64 } from '@petstore/pet-domain';
import type { WebhookRequest } from '../endpoint/webhook.js';

declare const brand: unique symbol;

/** Id of a delivery of an event to an endpoint, 1 to 2^63 - 1, as its decimal digits. A later one has a greater one. */
export type DeliveryId = string & { readonly [brand]: 'DeliveryId' };

export const DeliveryId = {
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): DeliveryId | undefined {
    return isPositiveInt64(text) ? (text as DeliveryId) : undefined;
  },
} as const;

const STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const;

/** State of a delivery. `dropped`: the key of the endpoint may no longer receive the event. */
export type DeliveryStatus = (typeof STATUSES)[number];

export const DeliveryStatus = {
  ALL: STATUSES,
  /** The state that `text` names, letter for letter, or `undefined`. */
  parse(text: string): DeliveryStatus | undefined {
    return STATUSES.find((status) => status === text);
  },
} as const;

/** Which deliveries of an endpoint to list: newest first. */
export interface DeliveryPageRequest extends WebhookRequest {
  readonly limit: number;
  readonly status?: DeliveryStatus | undefined;
  /** Only deliveries with a smaller id. */
  readonly before?: DeliveryId | undefined;
}

/** One page of deliveries as readers get it: a JSON array. */
export interface DeliveryPage {
  readonly json: string;
  readonly last: DeliveryId | undefined;
  readonly more: boolean;
}

/** Most events that one recovery queues. */
export const MAX_RECOVERED = 10_000;

/** Which events are delivered to an endpoint again. */
export interface RecoveryRequest extends WebhookRequest {
  /** Only events behind this one. */
  readonly after: EventPosition;
  readonly visibility: EventVisibility;
}

export interface Recovery {
  /** Events that are due again or for the first time. */
  readonly requeued: number;
  /** How far the feed was looked through, if there may be more behind it: another recovery goes on from here. */
  readonly next: EventPosition | undefined;
}

/** The endpoint has no such delivery that could be repeated. */
export class DeliveryNotFoundError extends Error {
  override readonly name = 'DeliveryNotFoundError';
}
