import { EVENT_TYPES, type EventPosition } from '@petstore/event-feed';
import {
  described,
  type Fields,
  INSTANT,
  int64,
  type Int64Id,
  integer,
  jsonTextOf,
  optional,
  type Page,
  type PageRequest,
  stringEnum,
  titled,
} from '@petstore/pet-domain';
import type { WebhookRequest } from '../endpoint/webhook.js';
import { TEST_EVENT_TYPE } from '../endpoint/webhook-types.js';
import { DeliveryError } from '../sending/attempt-outcome.js';

/** Id of a delivery of an event to an endpoint. A later one has a greater one. */
export type DeliveryId = Int64Id<'DeliveryId'>;
export const DeliveryId = int64<DeliveryId>();

/** State of a delivery. `dropped`: the key of the endpoint may no longer receive the event. */
export const DeliveryStatus = titled(
  'DeliveryStatus',
  stringEnum('pending', 'delivered', 'failed', 'dropped'),
);

export type DeliveryStatus = (typeof DeliveryStatus.ALL)[number];

/** One event for one endpoint. */
export interface Delivery {
  readonly id: DeliveryId;
  /** Absent for a test. */
  readonly eventId?: EventPosition | undefined;
  readonly type: string;
  readonly status: DeliveryStatus;
  /** That have begun, since it was last made due by hand. */
  readonly attempts: number;
  readonly lastAttemptAt?: Date | undefined;
  /** While it is pending; during an attempt the end of its lease. */
  readonly nextAttemptAt?: Date | undefined;
  /** Of the last response. */
  readonly responseStatus?: number | undefined;
  /** Why the last attempt failed. */
  readonly error?: DeliveryError | undefined;
}

/** All fields of a delivery, in the order of its JSON. */
export const DELIVERY_FIELDS: Fields<Delivery> = {
  id: described(DeliveryId, 'Assigned by the service; a later delivery has a greater one.', 7311),
  eventId: optional(
    described(int64<EventPosition>(), 'Position of the event in the feed; absent for a test.', 1042),
  ),
  type: described(stringEnum<string>(...EVENT_TYPES, TEST_EVENT_TYPE), 'Type of the event.', 'pet.updated'),
  status: described(
    DeliveryStatus,
    '`pending`: to be attempted, for the first time or again. `delivered`: an attempt was answered with 2xx. `failed`: no attempt was, and none follows. `dropped`: the key may no longer receive the event.',
    'pending',
  ),
  attempts: described(
    integer({ least: 0, most: 2 ** 31 - 1 }),
    'Attempts that have begun, since the delivery was last made due by hand.',
    2,
  ),
  lastAttemptAt: optional(described(INSTANT, 'When the last attempt began, in UTC.')),
  nextAttemptAt: optional(
    described(
      INSTANT,
      'When the next attempt is due, in UTC; present while it is `pending`.',
      '2026-11-21T19:17:07.123Z',
    ),
  ),
  responseStatus: optional(
    described(
      integer({ least: 100, most: 999 }),
      'HTTP status of the last response; the response itself is not kept.',
      503,
    ),
  ),
  error: optional(
    described(
      DeliveryError,
      'Why the last attempt failed: `http_status` (no 2xx), `timeout`, `dns`, `refused_address` (an address that is not public), `connection` or `tls`.',
      'http_status',
    ),
  ),
};

/** A delivery as JSON text. */
export const deliveryJson: (delivery: Delivery) => string = jsonTextOf<Delivery>(DELIVERY_FIELDS);

/** Which deliveries of an endpoint to list: newest first. */
export interface DeliveryPageRequest extends WebhookRequest, PageRequest<DeliveryId> {
  readonly status?: DeliveryStatus | undefined;
}

export type DeliveryPage = Page<DeliveryId>;

/** Most events that one replay queues. */
export const MAX_REPLAYED = 10_000;

/** What a replay has made due. */
export interface Replay {
  /** Events that are due again or for the first time. */
  readonly requeued: number;
  /** How far the feed was looked through, if there may be more behind it: another replay goes on from here. */
  readonly next: EventPosition | undefined;
}
