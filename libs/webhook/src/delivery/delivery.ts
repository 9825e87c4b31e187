import type { EventPosition, EventVisibility } from '@petstore/event-feed';
import { int64, type Int64Id, type Page, type PageRequest, stringEnum } from '@petstore/pet-domain';
import type { WebhookRequest } from '../endpoint/webhook.js';

/** Id of a delivery of an event to an endpoint. A later one has a greater one. */
export type DeliveryId = Int64Id<'DeliveryId'>;
export const DeliveryId = int64<DeliveryId>();

/** State of a delivery. `dropped`: the key of the endpoint may no longer receive the event. */
export const DeliveryStatus = stringEnum('pending', 'delivered', 'failed', 'dropped');

export type DeliveryStatus = (typeof DeliveryStatus.ALL)[number];

/** Which deliveries of an endpoint to list: newest first. */
export interface DeliveryPageRequest extends WebhookRequest, PageRequest<DeliveryId> {
  readonly status?: DeliveryStatus | undefined;
}

export type DeliveryPage = Page<DeliveryId>;

/** Most events that one replay queues. */
export const MAX_REPLAYED = 10_000;

/** Which events are delivered to an endpoint again. */
export interface ReplayRequest extends WebhookRequest {
  /** Only events behind this one. */
  readonly after: EventPosition;
  readonly visibility: EventVisibility;
}

export interface Replay {
  /** Events that are due again or for the first time. */
  readonly requeued: number;
  /** How far the feed was looked through, if there may be more behind it: another replay goes on from here. */
  readonly next: EventPosition | undefined;
}
