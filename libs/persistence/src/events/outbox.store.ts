import { Injectable } from '@nestjs/common';
import type { Backlog, SequencingOutcome, SequencingStore } from '@petstore/event-feed';
import { DeliveryNotifier } from '@petstore/webhook';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { DeliveryRepository } from '../webhooks/delivery.repository.js';
import { LowWaterMark, type OutboxSnapshot } from './low-water-mark.js';
import { BACKLOG, FORGET_EMPTY, LOCK, LOOK, READ_BY_INDEX, SEQUENCE } from './sequencing.queries.js';

/** Events that were moved from the outbox to the feed. */
interface Batch {
  readonly count: number;
  /** Greatest id that they had in the outbox; `null` when there was none. */
  readonly last: string | null;
  /** Id of the transaction. */
  readonly transaction: string;
  /** Positions of the feed before them, and of the last one. */
  readonly before: string;
  readonly newest: string;
}

const NOTHING: SequencingOutcome = { sequenced: 0, hasMore: false, isBusy: false };
const IN_BACKGROUND = { isBackground: true };

/** The outbox and the feed for the sequencer: a batch is one transaction. */
@Injectable()
export class OutboxStore implements SequencingStore {
  private readonly mark = new LowWaterMark();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: DeliveryNotifier,
  ) {}

  sequence(most: number): Promise<SequencingOutcome> {
    const { mark } = this;
    return this.unitOfWork.run(async (tx) => {
      const { manager } = tx;
      await manager.query(READ_BY_INDEX);
      const [snapshot] = await manager.query<[OutboxSnapshot & { isThereAny: boolean }]>(LOOK, [
        mark.id,
        mark.tableId,
      ]);
      mark.observe(snapshot);
      if (!snapshot.isThereAny) {
        mark.foundNone(snapshot);
        return NOTHING;
      }
      if ((await manager.query<unknown[]>(LOCK)).length === 0) return { ...NOTHING, isBusy: true };
      const [batch] = await manager.query<[Batch]>(SEQUENCE, [most, mark.id]);
      await manager.query(FORGET_EMPTY);
      const { count, last, transaction, before, newest } = batch;
      const isFull = count >= most;
      if ((await tx.of(DeliveryRepository).fanOut(before, newest)) > 0)
        tx.afterCommit(this.deliveries.notify);
      if (last !== null)
        tx.afterCommit(() => {
          mark.took({ last, transaction, isFull }, snapshot);
        });
      return { sequenced: count, hasMore: isFull, isBusy: false };
    }, IN_BACKGROUND);
  }

  backlog(): Promise<Backlog> {
    const { id, tableId } = this.mark;
    return this.unitOfWork.run(async ({ manager }) => {
      const [backlog] = await manager.query<[Backlog]>(BACKLOG, [id, tableId]);
      return backlog;
    }, IN_BACKGROUND);
  }
}
