import type { EntityManager } from 'typeorm';
import { OrderRepository } from '../orders/order.repository.js';
import { type DomainEvent, OutboxRepository } from '../events/outbox.repository.js';
import { IdempotentRequestRepository } from '../idempotency/idempotent-request.repository.js';
import { PetRepository } from '../pets/pet.repository.js';

/** What works with the tables of one resource: it is made with the manager that its statements go through. */
export type RepositoryType<Repository> = new (manager: EntityManager) => Repository;

/** Repositories whose statements go through one manager of TypeORM. */
export class Repositories {
  constructor(readonly manager: EntityManager) {}

  /** The repository of a resource: `of(CategoryRepository)`. */
  of<Repository>(type: RepositoryType<Repository>): Repository {
    return new type(this.manager);
  }
}

/** What a {@link UnitOfWork} gives its work: repositories in one transaction, and the events of it. */
export class Transaction extends Repositories {
  readonly pets = this.of(PetRepository);
  readonly orders = this.of(OrderRepository);
  readonly outbox = this.of(OutboxRepository);
  readonly idempotentRequests = this.of(IdempotentRequestRepository);
  /** Events so far, in the order in which they will be written. */
  readonly events: DomainEvent[] = [];
  /** Called after the commit. */
  readonly committed: (() => void)[] = [];

  /** Adds events, which are written before the commit, in the order of the calls. */
  emit(...events: readonly DomainEvent[]): void {
    this.events.push(...events);
  }

  /** Calls this once the transaction is committed, and never if it is not. It must not throw. */
  afterCommit(call: () => void): void {
    this.committed.push(call);
  }
}
