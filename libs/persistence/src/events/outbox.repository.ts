import type { EventType } from '@petstore/event-feed';
import type { EntityManager } from 'typeorm';

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

const WRITE = `
  insert into outbox (type, resource, audience, data, happened_at)
  select type, split_part(type, '.', 1), audience, data, coalesce(happened_at, now())
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
    with ordinality event (type, audience, data, happened_at, place)
  order by place`;

/** The outbox within a transaction. */
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
}
