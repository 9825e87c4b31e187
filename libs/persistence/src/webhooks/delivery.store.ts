import { Injectable } from '@nestjs/common';
import { type EventPosition, type FeedLimits, requireKept } from '@petstore/event-feed';
import {
  type DeliveryId,
  DeliveryNotFoundError,
  type DeliveryPage,
  type DeliveryPageRequest,
  DeliverySignal,
  MAX_REPLAYED,
  type Replay,
  type ReplayRequest,
  WebhookDisabledError,
  type WebhookRequest,
} from '@petstore/webhook';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { READ_BY_INDEX } from '../events/sequencing.queries.js';
import { toPage } from '../sql/page.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import {
  ADD_TEST,
  END,
  FEED_LIMITS,
  IS_THERE,
  LOCK_DELIVERY,
  LOCK_ENDPOINT,
  PAGES,
  REPLAY,
  REDELIVER,
} from './delivery.queries.js';

/** Positions of the feed that one statement of a replay reads: few enough for its time limit. */
const RANGE = 20_000n;
/** Ranges that one replay reads: half a million events. */
const MAX_RANGES = 25;

interface JsonRow {
  readonly json: string;
}

/**
 * Deliveries as their readers see and repeat them. Each method is `undefined` when the key has no such endpoint, and
 * rejects with `StoreUnavailableError` when the database is unavailable.
 */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly signal: DeliverySignal,
  ) {}

  async list({ id, keyId, limit, status, before }: DeliveryPageRequest): Promise<DeliveryPage | undefined> {
    const { reads } = this.database;
    const page = toPage<DeliveryId>(
      await reads.queryOnce(PAGES[status ?? 'all'], [id, limit + 1, before ?? END, keyId]),
      limit,
    );
    if (page.last === undefined && (await reads.queryOnce(IS_THERE, [id, keyId])).length === 0)
      return undefined;
    return page;
  }

  /** Queues a `webhook.test` event, also for a disabled endpoint. @returns the delivery as JSON */
  test({ id, keyId }: WebhookRequest): Promise<string | undefined> {
    return this.unitOfWork.run(async (tx) => {
      const [added] = await tx.manager.query<JsonRow[]>(ADD_TEST, [id, keyId]);
      tx.afterCommit(this.signal.notify);
      return added?.json;
    });
  }

  /**
   * Makes a delivery due now, with a full set of attempts.
   *
   * @throws {WebhookDisabledError}
   * @throws {DeliveryNotFoundError} also for a test, and for one whose event is no longer kept
   * @returns the delivery as JSON
   */
  redeliver({ id, keyId }: WebhookRequest, deliveryId: DeliveryId): Promise<string | undefined> {
    return this.unitOfWork.run(
      async (tx) => {
        const isEnabled = await lockEndpoint(tx.manager, { id, keyId });
        if (isEnabled === undefined) return undefined;
        const [delivery] = await tx.manager.query<{ isKept: boolean }[]>(LOCK_DELIVERY, [
          deliveryId,
          id,
          keyId,
        ]);
        if (delivery === undefined) throw new DeliveryNotFoundError('The webhook has no such delivery.');
        if (!delivery.isKept) throw new DeliveryNotFoundError('The event of this delivery is gone.');
        requireEnabled(isEnabled);
        const [[redelivered]] = await tx.manager.query<[[JsonRow], number]>(REDELIVER, [deliveryId]);
        tx.afterCommit(this.signal.notify);
        return redelivered.json;
      },
      { serialize: `delivery ${deliveryId} of ${keyId}` },
    );
  }

  /**
   * Makes failed deliveries due again and queues events that were never queued, such as those while the endpoint was
   * disabled; oldest first, at most {@link MAX_REPLAYED}.
   *
   * @throws {WebhookDisabledError}
   * @throws {PositionGoneError}
   */
  async replay(request: ReplayRequest): Promise<Replay | undefined> {
    let replayed: Replay = { requeued: 0, next: request.after };
    for (let ranges = 0; ranges < MAX_RANGES && replayed.requeued < MAX_REPLAYED; ranges++) {
      const { requeued, next } = replayed;
      if (next === undefined) break;
      const range = await this.replayRange({ ...request, after: next }, MAX_REPLAYED - requeued);
      if (range === undefined) return undefined;
      replayed = { requeued: requeued + range.requeued, next: range.next };
    }
    return replayed;
  }

  /** One transaction, so that a change of the endpoint does not wait for all of it. */
  private replayRange(
    { id, keyId, after, visibility }: ReplayRequest,
    most: number,
  ): Promise<Replay | undefined> {
    return this.unitOfWork.run(
      async (tx) => {
        const { manager } = tx;
        await manager.query(READ_BY_INDEX);
        const isEnabled = await lockEndpoint(manager, { id, keyId });
        if (isEnabled === undefined) return undefined;
        requireEnabled(isEnabled);
        const [limits] = await manager.query<[FeedLimits]>(FEED_LIMITS);
        requireKept(after, limits);
        const end = BigInt(after) + RANGE;
        const { resources, audience = null } = visibility;
        const [{ requeued, found, last }] = await manager.query<
          [{ requeued: number; found: number; last: EventPosition }]
        >(REPLAY, [id, after, end, most, resources, audience]);
        if (requeued > 0) tx.afterCommit(this.signal.notify);
        if (found >= most) return { requeued, next: last };
        return { requeued, next: end < BigInt(limits.newest) ? (String(end) as EventPosition) : undefined };
      },
      { serialize: `replay of ${id} of ${keyId}` },
    );
  }
}

/** Whether an endpoint is enabled, which remains so until the end of the transaction; `undefined` without one. */
async function lockEndpoint(
  manager: EntityManager,
  { id, keyId }: WebhookRequest,
): Promise<boolean | undefined> {
  const [endpoint] = await manager.query<{ enabled: boolean }[]>(LOCK_ENDPOINT, [id, keyId]);
  return endpoint?.enabled;
}

function requireEnabled(isEnabled: boolean): void {
  if (!isEnabled)
    throw new WebhookDisabledError('The webhook is disabled. Enable it first, with status "enabled".');
}
