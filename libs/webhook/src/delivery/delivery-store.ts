import type { EventPosition, OrderEventsSeen } from '@petstore/event-feed';
import type { WebhookRequest } from '../endpoint/webhook-store.js';
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

/** One page of deliveries as readers get it: a JSON array in UTF-8. */
export interface DeliveryPage {
  readonly json: Uint8Array;
  readonly last: DeliveryId | undefined;
  readonly more: boolean;
}

/** Which events a key may see. */
export interface EventsSeen {
  /** Of animals and categories. */
  readonly pets: boolean;
  readonly orders: OrderEventsSeen;
}

/** Which events are delivered to an endpoint again. */
export interface RecoveryRequest extends WebhookRequest {
  /** Only events behind this one. */
  readonly after: EventPosition;
  readonly seen: EventsSeen;
}

export interface Recovery {
  /** Events that are due again or for the first time. */
  readonly requeued: number;
  /** How far the feed was looked through, if there may be more behind it: another recovery goes on from here. */
  readonly next: EventPosition | undefined;
}

/**
 * Deliveries as their readers see and repeat them. A port; an adapter implements it. Each method is `undefined` when
 * there is no endpoint within reach, and rejects with `StoreUnavailableError` when the store cannot be reached.
 */
export interface DeliveryStore {
  list(request: DeliveryPageRequest): Promise<DeliveryPage | undefined>;
  /** Queues a `webhook.test` event, also for a disabled endpoint. @returns the delivery as JSON */
  test(request: WebhookRequest): Promise<string | undefined>;
  /**
   * Makes a delivery due now, with all attempts before it.
   *
   * @throws {WebhookDisabledError}
   * @throws {DeliveryNotFoundError} also for a test, and for one whose event is no longer kept
   * @returns the delivery as JSON
   */
  redeliver(request: WebhookRequest, id: DeliveryId): Promise<string | undefined>;
  /**
   * Makes failed deliveries due again, and queues events that never were, as while the endpoint was disabled; the oldest
   * first, at most {@link MAX_RECOVERED}.
   *
   * @throws {WebhookDisabledError}
   * @throws {PositionGoneError}
   */
  recover(request: RecoveryRequest): Promise<Recovery | undefined>;
}

/** The endpoint has no such delivery that could be repeated. */
export class DeliveryNotFoundError extends Error {
  override readonly name = 'DeliveryNotFoundError';
}
