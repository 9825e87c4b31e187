import { Injectable } from '@nestjs/common';
import type { Backlog, SequencingOutcome, SequencingStore } from '@petstore/event-feed';
import { DeliveryNotifier } from '@petstore/webhook';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { LowWaterMark } from './low-water-mark.js';

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
      const snapshot = await tx.outbox.look(mark);
      mark.observe(snapshot);
      if (!snapshot.isThereAny) {
        mark.foundNone(snapshot);
        return NOTHING;
      }
      if (!(await tx.outbox.lock())) return { ...NOTHING, isBusy: true };
      const { count, last, transaction, before, newest } = await tx.outbox.sequence(most, mark);
      const isFull = count >= most;
      if ((await tx.deliveries.fanOut(before, newest)) > 0) tx.afterCommit(this.deliveries.notify);
      if (last !== null)
        tx.afterCommit(() => {
          mark.took({ last, transaction, isFull }, snapshot);
        });
      return { sequenced: count, hasMore: isFull, isBusy: false };
    }, IN_BACKGROUND);
  }

  backlog(): Promise<Backlog> {
    return this.unitOfWork.run(({ outbox }) => outbox.backlog(this.mark), IN_BACKGROUND);
  }
}
