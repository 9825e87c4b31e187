import { EVENT_TYPES, type EventType } from '@petstore/event-feed';
import type { EntityManager } from 'typeorm';
import { OrderRepository } from '../orders/order.repository.js';
import { CategoryRepository } from '../categories/category.repository.js';
import { IdempotentRequestRepository } from '../idempotency/idempotent-request.repository.js';
import { PetRepository } from '../pets/pet.repository.js';
import { DeliveryRepository } from '../webhooks/delivery.repository.js';

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

/** What a {@link UnitOfWork} gives its work: repositories in one transaction, and the events of it. */
export class Transaction {
  readonly pets: PetRepository;
  readonly categories: CategoryRepository;
  readonly orders: OrderRepository;
  readonly deliveries: DeliveryRepository;
  readonly idempotentRequests: IdempotentRequestRepository;
  /** Events so far, in the order in which they will be written. */
  readonly events: DomainEvent[] = [];
  /** Called after the commit. */
  readonly committed: (() => void)[] = [];

  /** @param manager of TypeORM, for what has no repository of its own */
  constructor(readonly manager: EntityManager) {
    this.pets = new PetRepository(manager);
    this.categories = new CategoryRepository(manager);
    this.orders = new OrderRepository(manager);
    this.deliveries = new DeliveryRepository(manager);
    this.idempotentRequests = new IdempotentRequestRepository(manager);
  }

  /**
   * Adds events, which are written before the commit, in the order of the calls.
   *
   * @throws Error for a type that is not declared: nobody could ask for the event, and no scope would show it
   */
  emit(...events: readonly DomainEvent[]): void {
    const undeclared = events.find(({ type }) => !DECLARED_TYPES.has(type));
    if (undeclared !== undefined)
      throw new Error(
        `There is no event type ${undeclared.type}: declare it in its domain and in EVENTS of libs/event-feed.`,
      );
    this.events.push(...events);
  }

  /** Calls this once the transaction is committed, and never if it is not. It must not throw. */
  afterCommit(call: () => void): void {
    this.committed.push(call);
  }
}

const DECLARED_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);

const WRITE = `
  insert into outbox (type, resource, audience, data, happened_at)
  select type, split_part(type, '.', 1), audience, data, coalesce(happened_at, now())
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
    with ordinality event (type, audience, data, happened_at, place)
  order by place`;

/** Writes events, in this order, in the transaction that made the changes and after it has locked their rows. */
export async function writeEvents(manager: EntityManager, events: readonly DomainEvent[]): Promise<void> {
  const columns = [
    events.map(({ type }) => type),
    events.map(({ audience }) => audience ?? null),
    events.map(({ data }) => data),
    events.map(({ happenedAt }) => happenedAt ?? null),
  ];
  await manager.query(WRITE, columns);
}
