import { Inject, Injectable } from '@nestjs/common';
import { EventPosition, type OrderEventsSeen, PositionGoneError } from '@petstore/event-feed';
import type { UnitOfWork } from '@petstore/pet-domain';
import {
  type DeliveryId,
  DeliveryNotFoundError,
  type DeliveryPage,
  type DeliveryPageRequest,
  DeliverySignal,
  type DeliveryStore,
  MAX_RECOVERED,
  type Recovery,
  type RecoveryRequest,
  WebhookDisabledError,
  type WebhookRequest,
} from '@petstore/webhook';
import { JsonRowReader, JsonRowsReader } from '../columns/json-rows.reader.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { PostgresUnitOfWork } from '../unit-of-work/postgres-unit-of-work.js';
import { READ_BY_INDEX } from '../unit-of-work/read-by-index.js';
import { isTrue } from '../unit-of-work/statement-batch.js';
import {
  ADD_TEST,
  deliveriesPage,
  END,
  FEED_LIMITS,
  HOLD,
  LOCK_DELIVERY,
  RECOVER,
  REDELIVER,
} from './delivery-statements.js';
import { FIND } from './webhook-statements.js';

/** Positions of the feed that one statement of a recovery looks at: few enough for its time limit. */
const RANGE = 20_000n;
/** Ranges that one recovery looks at: half a million events. */
const MOST_RANGES = 25;

/** Deliveries in PostgreSQL, as their readers see and repeat them. */
@Injectable()
export class PostgresDeliveryStore implements DeliveryStore {
  private readonly sharedReads = new SingleFlight();

  constructor(
    @Inject(Pipelines) private readonly pipelines: Pipelines,
    @Inject(PostgresUnitOfWork) private readonly unitOfWork: UnitOfWork,
    @Inject(DeliverySignal) private readonly signal: DeliverySignal,
  ) {}

  async list(request: DeliveryPageRequest): Promise<DeliveryPage | undefined> {
    const { id, keyId, limit, status, before = END } = request;
    const statement = deliveriesPage(status);
    // One row more than the page tells whether there is another page, without counting anything.
    const values = [id, String(limit + 1), before, keyId];
    const { json, last, more } = await this.sharedReads.share(
      `${statement.name} ${values.join(' ')}`,
      (leaving) => this.pipelines.reads.ask(statement, values, new JsonRowsReader(limit), leaving),
    );
    if (last === undefined && !(await this.isThere(request))) return undefined;
    return { json, last: last as DeliveryId | undefined, more };
  }

  test({ id, keyId }: WebhookRequest): Promise<string | undefined> {
    return this.unitOfWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      const [[[json] = []] = []] = await session.ask(bound(ADD_TEST, id, keyId));
      if (json !== undefined) session.afterCommit(this.signal.raise);
      return json ?? undefined;
    });
  }

  redeliver({ id, keyId }: WebhookRequest, deliveryId: DeliveryId): Promise<string | undefined> {
    return this.unitOfWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      const [[endpoint] = [], [delivery] = []] = await session.ask(
        bound(HOLD, id, keyId),
        bound(LOCK_DELIVERY, deliveryId, id, keyId),
      );
      if (endpoint === undefined) return undefined;
      if (delivery === undefined) throw new DeliveryNotFoundError('The webhook has no such delivery.');
      if (!isTrue(delivery[0])) throw new DeliveryNotFoundError('The event of this delivery is gone.');
      refuseDisabled(endpoint[0]);
      const [[[json] = []] = []] = await session.ask(bound(REDELIVER, deliveryId));
      session.afterCommit(this.signal.raise);
      return json ?? undefined;
    }, `delivery ${deliveryId} for ${keyId}`);
  }

  async recover(request: RecoveryRequest): Promise<Recovery | undefined> {
    let { after } = request;
    let requeued = 0;
    for (let ranges = 0; ranges < MOST_RANGES; ranges++) {
      const step = await this.recoverRange(request, after, MAX_RECOVERED - requeued);
      if (step === undefined) return undefined;
      requeued += step.requeued;
      if (step.next === undefined) return { requeued, next: undefined };
      after = step.next;
      if (step.isFull) break;
    }
    return { requeued, next: after };
  }

  /** One transaction, so that nobody who changes the endpoint waits for all of it. */
  private recoverRange(
    { id, keyId, seen }: RecoveryRequest,
    after: EventPosition,
    most: number,
  ): Promise<RecoveredRange | undefined> {
    return this.unitOfWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      session.defer(bound(READ_BY_INDEX));
      const [[endpoint] = [], [[first, newest] = []] = []] = await session.ask(
        bound(HOLD, id, keyId),
        bound(FEED_LIMITS),
      );
      if (endpoint === undefined) return undefined;
      refuseDisabled(endpoint[0]);
      refuseGone(after, first as EventPosition, newest as EventPosition);
      const rangeEnd = BigInt(after) + RANGE;
      const isLast = rangeEnd >= BigInt(newest ?? 0);
      const end = isLast ? (newest as EventPosition) : (String(rangeEnd) as EventPosition);
      const [[[requeued, found, last] = []] = []] = await session.ask(
        bound(RECOVER, id, after, end, String(most), String(seen.pets), ...ordersOf(seen.orders)),
      );
      if (requeued !== '0') session.afterCommit(this.signal.raise);
      const isFull = Number(found) >= most;
      const reached = isFull ? (last as EventPosition) : end;
      return { requeued: Number(requeued), next: isLast && !isFull ? undefined : reached, isFull };
    }, `recovery of ${id} for ${keyId}`);
  }

  private async isThere({ id, keyId }: WebhookRequest): Promise<boolean> {
    return (await this.pipelines.reads.ask(FIND, [id, keyId], new JsonRowReader())) !== undefined;
  }
}

/** What one transaction of a recovery has done. */
interface RecoveredRange {
  readonly requeued: number;
  /** Where the next one goes on; `undefined` behind the end of the feed. */
  readonly next: EventPosition | undefined;
  /** Whether no more may be recovered. */
  readonly isFull: boolean;
}

function refuseDisabled(isEnabled: string | null | undefined): void {
  if (!isTrue(isEnabled))
    throw new WebhookDisabledError('The webhook is disabled. Enable it first, with status "enabled".');
}

function refuseGone(after: EventPosition, first: EventPosition, newest: EventPosition): void {
  const isBeyondNewest = EventPosition.compare(after, newest) > 0;
  if (isBeyondNewest || EventPosition.compare(after, first) < 0)
    throw new PositionGoneError(first, newest, isBeyondNewest);
}

/** Values of {@link RECOVER}. */
function ordersOf(orders: OrderEventsSeen): readonly [string, string] {
  return typeof orders === 'object' ? ['key', orders.keyId] : [orders, ''];
}
