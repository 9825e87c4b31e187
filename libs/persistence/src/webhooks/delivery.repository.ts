import { type EventPosition, type EventVisibility, type FeedLimits, requireKept } from '@petstore/event-feed';
import type { Delivery, DeliveryId, Replay, Webhook, WebhookId } from '@petstore/webhook';
import type { EntityManager } from 'typeorm';
import { READ_BY_INDEX } from '../events/sequencing.queries.js';
import { withoutNulls } from '../sql/columns.js';
import {
  ADD_TEST,
  ANY_ENDPOINT,
  END_PENDING,
  FAN_OUT,
  FEED_LIMITS,
  REDELIVER,
  REPLAY,
} from './delivery.queries.js';

/** Positions of the feed that one replay reads: few enough for the time limit of a statement. */
const RANGE = 20_000n;

/** What one replay queues. */
export interface ReplayRange {
  /** Only events behind this one. */
  readonly after: EventPosition;
  /** Most events. */
  readonly most: number;
  readonly visibility: EventVisibility;
}

/** Deliveries of webhooks: `tx.of(DeliveryRepository)`. */
export class DeliveryRepository {
  constructor(private readonly manager: EntityManager) {}

  /**
   * Queues the events behind a position up to another one, in the transaction that gives them these positions: so every
   * event is queued once, or not at all together with its position.
   *
   * @returns how many deliveries were queued
   */
  async fanOut(after: string, upTo: string): Promise<number> {
    const [endpoints] = await this.manager.query<[{ any: boolean }]>(ANY_ENDPOINT);
    if (!endpoints.any) return 0;
    const [{ queued }] = await this.manager.query<[{ queued: number }]>(FAN_OUT, [after, upTo]);
    return queued;
  }

  /** Queues a `webhook.test` event for one endpoint. */
  async addTest({ id }: Webhook): Promise<Delivery> {
    const [added] = await this.manager.query<[Delivery]>(ADD_TEST, [id]);
    return withoutNulls(added);
  }

  /**
   * Makes a delivery of an endpoint due now, with a full set of attempts. `undefined` where there is none to repeat: the
   * endpoint does not have it, it is a test, or its event is no longer kept.
   */
  async redeliver({ id }: Webhook, deliveryId: DeliveryId): Promise<Delivery | undefined> {
    const [[delivery]] = await this.manager.query<[Delivery[], number]>(REDELIVER, [deliveryId, id]);
    return delivery && withoutNulls(delivery);
  }

  /**
   * Makes failed deliveries of an endpoint due again and queues events that were never queued, such as those while the
   * endpoint was disabled, oldest first, in the next 20,000 positions of the feed.
   *
   * @throws {PositionGoneError}
   */
  async replay({ id }: Webhook, { after, most, visibility }: ReplayRange): Promise<Replay> {
    const { manager } = this;
    await manager.query(READ_BY_INDEX);
    const [limits] = await manager.query<[FeedLimits]>(FEED_LIMITS);
    requireKept(after, limits);
    const end = BigInt(after) + RANGE;
    const { resources, audience = null } = visibility;
    const [{ requeued, found, last }] = await manager.query<
      [{ requeued: number; found: number; last: EventPosition }]
    >(REPLAY, [id, after, end, most, resources, audience]);
    if (found >= most) return { requeued, next: last };
    return { requeued, next: end < BigInt(limits.newest) ? (String(end) as EventPosition) : undefined };
  }

  /**
   * Ends what is pending of endpoints to which nothing more may be sent; waits for no worker.
   *
   * @returns how many deliveries
   */
  async end(
    endpoints: readonly WebhookId[],
    status: 'failed' | 'dropped',
    { onlyDue = false } = {},
  ): Promise<number> {
    const [, ended] = await this.manager.query<[unknown, number]>(END_PENDING, [endpoints, status, onlyDue]);
    return ended;
  }
}
