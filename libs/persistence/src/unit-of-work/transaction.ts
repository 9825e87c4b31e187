import type { EntityManager } from 'typeorm';
import { OrderRepository } from '../orders/order.repository.js';
import { type DomainEvent, OutboxRepository } from '../events/outbox.repository.js';
import { IdempotentRequestRepository } from '../idempotency/idempotent-request.repository.js';
import { PetRepository } from '../pets/pet.repository.js';
import { DeliveryRepository } from '../webhooks/delivery.repository.js';

/** What a {@link UnitOfWork} gives its work: repositories in one transaction, and the events of it. */
export class Transaction {
  readonly pets: PetRepository;
  readonly orders: OrderRepository;
  readonly outbox: OutboxRepository;
  readonly deliveries: DeliveryRepository;
  readonly idempotentRequests: IdempotentRequestRepository;
  /** Events so far, in the order in which they will be written. */
  readonly events: DomainEvent[] = [];
  /** Called after the commit. */
  readonly committed: (() => void)[] = [];

  /** @param manager of TypeORM; other repositories are made with it: `new CategoryRepository(tx.manager)` */
  constructor(readonly manager: EntityManager) {
    this.pets = new PetRepository(manager);
    this.orders = new OrderRepository(manager);
    this.outbox = new OutboxRepository(manager);
    this.deliveries = new DeliveryRepository(manager);
    this.idempotentRequests = new IdempotentRequestRepository(manager);
  }

  /** Adds events, which are written before the commit, in the order of the calls. */
  emit(...events: readonly DomainEvent[]): void {
    this.events.push(...events);
  }

  /** Calls this once the transaction is committed, and never if it is not. It must not throw. */
  afterCommit(call: () => void): void {
    this.committed.push(call);
  }
}
