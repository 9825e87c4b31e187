import { Inject, Injectable } from '@nestjs/common';
import type { Backlog, SequencingOutcome, SequencingStore } from '@petstore/event-feed';
import type { UnitOfWork } from '@petstore/pet-domain';
import { Pipelines } from '../pipeline/pipelines.js';
import { type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { BACKGROUND_WORK } from '../unit-of-work/background-work.js';
import { BACKLOG, FORGET_EMPTY, SEQUENCE, TAKE_TURN } from './sequencing-statements.js';

const TRUE = 't';

/** The outbox and the feed in PostgreSQL: a batch is one transaction of three round trips. */
@Injectable()
export class PostgresSequencingStore implements SequencingStore {
  constructor(
    @Inject(BACKGROUND_WORK) private readonly work: UnitOfWork,
    @Inject(Pipelines) private readonly pipelines: Pipelines,
  ) {}

  sequence(most: number): Promise<SequencingOutcome> {
    return this.work.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      const [[[isMine, isThereAny] = []] = []] = await session.ask(bound(TAKE_TURN));
      if (isMine !== TRUE) return { sequenced: 0, hasMore: false, isBusy: true };
      if (isThereAny !== TRUE) return { sequenced: 0, hasMore: false, isBusy: false };
      const [[[moved] = []] = []] = await session.ask(bound(SEQUENCE, String(most)));
      session.defer(bound(FORGET_EMPTY));
      const sequenced = Number(moved);
      return { sequenced, hasMore: sequenced >= most, isBusy: false };
    });
  }

  backlog(): Promise<Backlog> {
    return this.pipelines.reads.ask(BACKLOG, [], new BacklogReader());
  }
}

class BacklogReader implements RowReader<Backlog> {
  private backlog: Backlog = { rows: 0, oldestSeconds: 0 };

  take(row: RawRow): void {
    const [rows, oldestSeconds] = textColumns(row, 2);
    this.backlog = { rows: Number(rows), oldestSeconds: Number(oldestSeconds) };
  }

  answer(): Backlog {
    return this.backlog;
  }
}
