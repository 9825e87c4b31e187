import { Injectable } from '@nestjs/common';
import { type EventPosition, type FeedLimits, requireKept } from '@petstore/event-feed';
import {
  type Delivery,
  type DeliveryId,
  deliveryJson,
  type DeliveryPage,
  type DeliveryPageRequest,
  DeliveryNotifier,
  MAX_REPLAYED,
  type Replay,
  type ReplayRequest,
  DeliveryNotFoundError,
  WebhookDisabledError,
  type WebhookRequest,
} from '@petstore/webhook';
import { Database } from '../database/database.js';
import { READ_BY_INDEX } from '../events/sequencing.queries.js';
import { fromTextRow, withoutNulls } from '../sql/columns.js';
import { toPage } from '../sql/page.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { ADD_TEST, END, FEED_LIMITS, PAGES, REPLAY, REDELIVER } from './delivery.queries.js';
import { DELIVERY_COLUMNS } from './webhook.schema.js';
import { lockWebhook, WebhookStore } from './webhook.store.js';

/** Positions of the feed that one statement of a replay reads: few enough for its time limit. */
const RANGE = 20_000n;
/** Ranges that one replay reads: half a million events. */
const MAX_RANGES = 25;

/**
 * Deliveries as their readers see and repeat them. A method rejects with {@link WebhookNotFoundError} for an
 * endpoint that the key does not have, and with `StoreUnavailableError` when the database is unavailable.
 */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly webhooks: WebhookStore,
    private readonly notifier: DeliveryNotifier,
  ) {}

  async list({ id, keyId, limit, status, before }: DeliveryPageRequest): Promise<DeliveryPage> {
    const statement = PAGES[status ?? 'all'];
    const values = [id, limit + 1, before ?? END, keyId];
    const rows = await this.database.reads.queryOnce(statement, values);
    const deliveries = rows.map((row) => fromTextRow(DELIVERY_COLUMNS, row) as Delivery);
    const page = toPage(deliveries, limit, deliveryJson);
    if (page.last === undefined) await this.webhooks.find({ id, keyId });
    return page;
  }

  /** Queues a `webhook.test` event, also for a disabled endpoint. */
  test(request: WebhookRequest): Promise<Delivery> {
    return this.unitOfWork.run(async (tx) => {
      const { id } = await lockWebhook(tx.manager, request, 'pessimistic_read');
      const [added] = await tx.manager.query<[Delivery]>(ADD_TEST, [id]);
      tx.afterCommit(this.notifier.notify);
      return withoutNulls(added);
    });
  }

  /**
   * Makes a delivery due now, with a full set of attempts.
   *
   * @throws {DeliveryNotFoundError | WebhookDisabledError}
   */
  redeliver(request: WebhookRequest, deliveryId: DeliveryId): Promise<Delivery> {
    return this.unitOfWork.run(
      async (tx) => {
        const { id, status } = await lockWebhook(tx.manager, request, 'pessimistic_read');
        const [[delivery]] = await tx.manager.query<[Delivery[], number]>(REDELIVER, [deliveryId, id]);
        if (delivery === undefined) throw new DeliveryNotFoundError();
        if (status === 'disabled') throw new WebhookDisabledError();
        tx.afterCommit(this.notifier.notify);
        return withoutNulls(delivery);
      },
      { serialize: `delivery ${deliveryId} of ${request.keyId}` },
    );
  }

  /**
   * Makes failed deliveries due again and queues events that were never queued, such as those while the endpoint was
   * disabled; oldest first, at most {@link MAX_REPLAYED}.
   *
   * @throws {PositionGoneError | WebhookDisabledError}
   */
  async replay(request: ReplayRequest): Promise<Replay> {
    let replayed: Replay = { requeued: 0, next: request.after };
    for (let ranges = 0; ranges < MAX_RANGES && replayed.requeued < MAX_REPLAYED; ranges++) {
      const { requeued, next } = replayed;
      if (next === undefined) break;
      const range = await this.replayRange({ ...request, after: next }, MAX_REPLAYED - requeued);
      replayed = { requeued: requeued + range.requeued, next: range.next };
    }
    return replayed;
  }

  /** One transaction, so that a change of the endpoint does not wait for all of it. */
  private replayRange({ after, visibility, ...request }: ReplayRequest, most: number): Promise<Replay> {
    const { id, keyId } = request;
    return this.unitOfWork.run(
      async (tx) => {
        const { manager } = tx;
        await manager.query(READ_BY_INDEX);
        const { status } = await lockWebhook(manager, request, 'pessimistic_read');
        if (status === 'disabled') throw new WebhookDisabledError();
        const [limits] = await manager.query<[FeedLimits]>(FEED_LIMITS);
        requireKept(after, limits);
        const end = BigInt(after) + RANGE;
        const { resources, audience = null } = visibility;
        const [{ requeued, found, last }] = await manager.query<
          [{ requeued: number; found: number; last: EventPosition }]
        >(REPLAY, [id, after, end, most, resources, audience]);
        if (requeued > 0) tx.afterCommit(this.notifier.notify);
        if (found >= most) return { requeued, next: last };
        return { requeued, next: end < BigInt(limits.newest) ? (String(end) as EventPosition) : undefined };
      },
      { serialize: `replay of ${id} of ${keyId}` },
    );
  }
}
