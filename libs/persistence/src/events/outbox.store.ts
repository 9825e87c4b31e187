import { Injectable } from '@nestjs/common';
import type { Backlog, SequencingOutcome, SequencingStore } from '@petstore/event-feed';
import { DeliverySignal } from '@petstore/webhook';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { LowWaterMark, type OutboxSnapshot } from './low-water-mark.js';
import { BACKLOG, FORGET_EMPTY, LOCK, LOOK, READ_BY_INDEX, SEQUENCE } from './sequencing.queries.js';

const NOTHING: SequencingOutcome = { sequenced: 0, hasMore: false, isBusy: false };
const IN_BACKGROUND = { isBackground: true };

interface MovedRow {
  readonly count: number;
  readonly last: string | null;
  readonly transaction: string;
  /** Position of the feed before them. */
  readonly before: string;
}

/** The outbox and the feed: a batch is one transaction. */
@Injectable()
export class OutboxStore implements SequencingStore {
  private readonly mark = new LowWaterMark();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: DeliverySignal,
  ) {}

  sequence(most: number): Promise<SequencingOutcome> {
    const { mark } = this;
    return this.unitOfWork.run(async (tx) => {
      const { manager } = tx;
      await manager.query(READ_BY_INDEX);
      const [snapshot] = await manager.query<[OutboxSnapshot & { isThereAny: boolean }]>(LOOK, [
        mark.id,
        mark.table,
      ]);
      mark.observe(snapshot);
      if (!snapshot.isThereAny) {
        mark.foundNone(snapshot);
        return NOTHING;
      }
      const heads = await manager.query<unknown[]>(LOCK);
      if (heads.length === 0) return { ...NOTHING, isBusy: true };
      const [moved] = await manager.query<[MovedRow]>(SEQUENCE, [most, mark.id]);
      await manager.query(FORGET_EMPTY);
      const { count, last, transaction, before } = moved;
      const queued = await tx.deliveries.fanOut(before, String(BigInt(before) + BigInt(count)));
      if (queued > 0) tx.afterCommit(this.deliveries.notify);
      const isFull = count >= most;
      if (last !== null) {
        tx.afterCommit(() => {
          mark.took({ last, transaction, isFull }, snapshot);
        });
      }
      return { sequenced: count, hasMore: isFull, isBusy: false };
    }, IN_BACKGROUND);
  }

  async backlog(): Promise<Backlog> {
    return this.unitOfWork.run(async ({ manager }) => {
      const [backlog] = await manager.query<[Backlog]>(BACKLOG, [this.mark.id, this.mark.table]);
      return backlog;
    }, IN_BACKGROUND);
  }
}
