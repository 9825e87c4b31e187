import type { EventPosition, EventVisibility } from '@petstore/event-feed';
import type { WebhookRequest } from '../endpoint/webhook-request.js';
import type { DeliveryId } from './delivery-id.js';
import type { DeliveryStatus } from './delivery-status.js';

/** Most events that one recovery queues. */
export const MAX_RECOVERED = 10_000;

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
