import type { Backlog, EventType } from '@petstore/event-feed';
import type { EntityManager } from 'typeorm';
import type { LowWaterMark, OutboxSnapshot } from './low-water-mark.js';
import { BACKLOG, FORGET_EMPTY, LOCK, LOOK, READ_BY_INDEX, SEQUENCE } from './sequencing.queries.js';

/** A change as the feed and webhooks report it, before it has a position. The domains make these. */
export interface DomainEvent {
  readonly type: EventType;
  /** The member `data` of the event as JSON text. */
  readonly data: string;
  /** Id of the only key, beside those that may see everything, that sees the event; everyone when absent. */
  readonly audience?: string | undefined;
  /** By the database's clock; when the transaction began when absent. */
  readonly happenedAt?: Date | undefined;
}

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

const WRITE = `
  insert into outbox (type, resource, audience, data, happened_at)
  select type, split_part(type, '.', 1), audience, data, coalesce(happened_at, now())
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
    with ordinality event (type, audience, data, happened_at, place)
  order by place`;

/** The outbox, and what the sequencer makes of it, within a transaction. */
export class OutboxRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Writes events, in this order, in the transaction that made the changes and after it has locked their rows. */
  async write(events: readonly DomainEvent[]): Promise<void> {
    await this.manager.query(WRITE, [
      events.map(({ type }) => type),
      events.map(({ audience }) => audience ?? null),
      events.map(({ data }) => data),
      events.map(({ happenedAt }) => happenedAt ?? null),
    ]);
  }

  /** What there is behind the mark; the first statement of a transaction that sequences. */
  async look({ id, tableId }: LowWaterMark): Promise<OutboxSnapshot & { readonly isThereAny: boolean }> {
    await this.manager.query(READ_BY_INDEX);
    const [snapshot] = await this.manager.query<[OutboxSnapshot & { isThereAny: boolean }]>(LOOK, [
      id,
      tableId,
    ]);
    return snapshot;
  }

  /** Whether this transaction is the only one that sequences, until its end. */
  async lock(): Promise<boolean> {
    return (await this.manager.query<unknown[]>(LOCK)).length > 0;
  }

  /** Moves at most so many events, the oldest behind the mark, to the feed and counts what they change. */
  async sequence(most: number, { id }: LowWaterMark): Promise<Batch> {
    const [batch] = await this.manager.query<[Batch]>(SEQUENCE, [most, id]);
    await this.manager.query(FORGET_EMPTY);
    return batch;
  }

  async backlog({ id, tableId }: LowWaterMark): Promise<Backlog> {
    const [backlog] = await this.manager.query<[Backlog]>(BACKLOG, [id, tableId]);
    return backlog;
  }
}
