import { Inject, Injectable } from '@nestjs/common';
import type { Backlog, SequencingOutcome, SequencingStore } from '@petstore/event-feed';
import type { UnitOfWork } from '@petstore/pet-domain';
import { DeliverySignal } from '@petstore/webhook';
import { isTrue } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { BACKGROUND_WORK } from '../unit-of-work/background-work.js';
import { READ_BY_INDEX } from '../unit-of-work/read-by-index.js';
import { FAN_OUT } from '../webhook/fan-out-statements.js';
import { OutboxFloor } from './outbox-floor.js';
import { BACKLOG, FORGET_EMPTY, SEQUENCE, TAKE_TURN } from './sequencing-statements.js';

/**
 * The outbox and the feed in PostgreSQL: a batch is one transaction of three round trips, of four while there are
 * endpoints of webhooks.
 */
@Injectable()
export class PostgresSequencingStore implements SequencingStore {
  private readonly floor = new OutboxFloor();

  constructor(
    @Inject(BACKGROUND_WORK) private readonly work: UnitOfWork,
    @Inject(DeliverySignal) private readonly deliveries: DeliverySignal,
  ) {}

  sequence(most: number): Promise<SequencingOutcome> {
    return this.work.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      session.defer(bound(READ_BY_INDEX));
      const { floor } = this;
      const [[turn = []] = []] = await session.ask(bound(TAKE_TURN, floor.floor, floor.table));
      const [isMine, isThereAny, incarnation, horizon] = turn as readonly string[];
      if (!isTrue(isMine)) return { sequenced: 0, hasMore: false, isBusy: true };
      const sight = { incarnation: incarnation ?? '', horizon: horizon ?? '' };
      floor.see(sight);
      if (!isTrue(isThereAny)) {
        floor.foundNone(sight);
        return { sequenced: 0, hasMore: false, isBusy: false };
      }
      const [[moved = []] = []] = await session.ask(bound(SEQUENCE, String(most), floor.floor));
      session.defer(bound(FORGET_EMPTY));
      const [count, last, taker, before, hasEndpoints] = moved;
      const sequenced = Number(count);
      if (isTrue(hasEndpoints)) await this.fanOut(session, BigInt(before ?? 0), sequenced);
      const isFull = sequenced >= most;
      session.afterCommit(() => {
        if (last && taker) floor.took({ last, transaction: taker, isFull }, sight);
      });
      return { sequenced, hasMore: isFull, isBusy: false };
    });
  }

  /** In the transaction that has given `count` events their positions behind `before`. */
  private async fanOut(session: PostgresTransaction, before: bigint, count: number): Promise<void> {
    const [[[queued] = []] = []] = await session.ask(
      bound(FAN_OUT, String(before), String(before + BigInt(count))),
    );
    if (queued !== '0') session.afterCommit(this.deliveries.raise);
  }

  /** Not on the connections of requests, which a table that is locked keeps waiting. */
  backlog(): Promise<Backlog> {
    return this.work.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      const [[[rows, oldestSeconds] = []] = []] = await session.ask(bound(BACKLOG, this.floor.floor));
      return { rows: Number(rows), oldestSeconds: Number(oldestSeconds) };
    });
  }
}
