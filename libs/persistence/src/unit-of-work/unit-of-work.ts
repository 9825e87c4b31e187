import { Injectable } from '@nestjs/common';
import { EventNotifier } from '@petstore/event-feed';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import {
  isTransactionConflict,
  NoResponseError,
  sqlStateOf,
  toStoreError,
} from '../connection/database-errors.js';
import { Database } from '../database/database.js';
import { KeyedLimit } from './keyed-limit.js';
import { Repositories, Transaction } from './transaction.js';

/** Attempts of a transaction that loses against others (a deadlock). */
const MAX_ATTEMPTS = 4;
/** Longest pause before the second attempt, in milliseconds; twice that before each further one. */
const FIRST_PAUSE_MS = 10;
/** Longest wait for earlier work of the same name, in milliseconds: 50 changes of one row at once take less. */
const SERIALIZED_WAIT_MS = 2_000;
/** SQLSTATE of a write on a standby. */
const READ_ONLY = '25006';

export interface UnitOfWorkOptions {
  /**
   * Names the row that the work locks first, such as `pet 42`: work of one name runs one after the other in this process,
   * so that many requests for one row do not wait on a database connection each. Of several names, the work waits for the
   * first before it waits for the next; work with the same names has them in the same order.
   */
  readonly serialize?: string | readonly string[];
  /** For work that no request waits for; it does not count towards the transactions of requests. */
  readonly isBackground?: boolean;
}

/**
 * Changes that are kept together or not at all:
 *
 * ```ts
 * await unitOfWork.run(async (tx) => {
 *   const pet = await tx.pets.lock(id);
 *   const previous = pet.patch({ status: 'sold' });
 *   await tx.pets.update(pet, previous);
 *   tx.emit(PetEvent.updated(pet, previous));
 * });
 * ```
 */
@Injectable()
export class UnitOfWork {
  private readonly serialized: KeyedLimit;
  private readonly requests: KeyedLimit;

  constructor(
    private readonly database: Database,
    /** Raised after each commit with events. */
    private readonly notifier: EventNotifier = new EventNotifier(),
  ) {
    const { timeouts } = database;
    this.serialized = new KeyedLimit(1, Math.max(SERIALIZED_WAIT_MS, timeouts.queueMs));
    this.requests = new KeyedLimit(database.maxTransactions, timeouts.queueMs);
  }

  /** How much work of requests waits until another transaction has ended; for metrics. */
  get waiting(): number {
    return this.requests.waiting('requests');
  }

  /**
   * Runs `work` in one transaction, writes the events that it emitted, and commits. When `work` rejects, nothing is kept
   * and its error passes unchanged. `work` must not catch the error of a statement: PostgreSQL has ended the transaction.
   *
   * @param work may be called more than once: a transaction that loses a deadlock is rolled back and tried again
   * @throws {StoreUnavailableError} when the database is unavailable or does not respond in time. Nothing half done is
   * kept; if the response to the commit was lost, everything may be.
   */
  async run<T>(work: (tx: Transaction) => Promise<T>, options: UnitOfWorkOptions = {}): Promise<T> {
    const { serialize = [], isBackground = false } = options;
    const transaction = (): Promise<T> => this.retried(work);
    const limited = isBackground ? transaction : (): Promise<T> => this.requests.run('requests', transaction);
    try {
      const inTurn = [serialize]
        .flat()
        .reduceRight((next, name) => () => this.serialized.run(name, next), limited);
      return await inTurn();
    } catch (error) {
      throw toStoreError(error as Error);
    }
  }

  /**
   * Runs one query, without a transaction; it waits for its turn as the transactions of requests do.
   *
   * @throws {StoreUnavailableError} as {@link run}
   */
  async read<T>(query: (from: Repositories) => Promise<T>): Promise<T> {
    const from = new Repositories(this.database.manager);
    try {
      return await this.requests.run('requests', () => query(from));
    } catch (error) {
      throw toStoreError(error as Error);
    }
  }

  private async retried<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (!isTransactionConflict(error)) throw error;
        if (attempt === MAX_ATTEMPTS)
          throw new NoResponseError(`The transaction lost against others ${MAX_ATTEMPTS} times.`, {
            cause: error,
          });
        await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let committed: readonly (() => void)[] = [];
    const transaction = async (inside: EntityManager): Promise<T> => {
      const client = (await inside.queryRunner?.connect()) as Client;
      const tx = new Transaction(inside);
      const value = await work(tx).catch((error: unknown) => {
        // The server has become a standby: the pool drops the connection, and the next one may lead to the primary.
        if (sqlStateOf(error) === READ_ONLY) void client.end().catch(() => undefined);
        throw error;
      });
      requireIntact(client);
      if (tx.events.length > 0) {
        await tx.outbox.write(tx.events);
        tx.afterCommit(this.notifier.notify);
      }
      committed = tx.committed;
      return value;
    };
    const result = await this.database.manager.transaction(transaction);
    for (const call of committed) call();
    return result;
  }
}

/** PostgreSQL turns the commit of a failed transaction into a rollback, without an error. */
function requireIntact(client: Client): void {
  if (client.getTransactionStatus() === 'E')
    throw new Error('A statement of this transaction has failed, and its error was caught.');
}
