import type { Transaction, UnitOfWork } from '@petstore/pet-domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { Bulkhead } from '../connection/bulkhead.js';
import { NoAnswerError } from '../connection/no-answer.error.js';
import { orUnavailable } from '../connection/store-unavailable.js';
import type { Turns } from '../connection/turns.js';
import { PostgresTransaction } from './postgres-transaction.js';
import { isTransactionConflict, sqlStateOf } from './transaction-conflict.js';

/** How often a transaction is tried that loses against others. */
const ATTEMPTS = 4;
/** Longest pause before the second attempt, in milliseconds; twice that before each further one. */
const FIRST_PAUSE_MS = 10;

/** SQLSTATEs after which a session knows a statement no more, or wrongly. */
const OUTLIVED: ReadonlySet<unknown> = new Set(['26000', '0A000']);

/**
 * Units of work as transactions of PostgreSQL. All attempts of one share a loan of the pool, whose time limit bounds
 * them; each statement has the limits of its session.
 */
export class PostgresUnitOfWork implements UnitOfWork {
  /**
   * @param pool the one of `dataSource`
   * @param transactions those that units of work may have at a time; the rest of the pool is for others
   */
  constructor(
    private readonly pool: Pool,
    private readonly dataSource: DataSource,
    private readonly transactions: Bulkhead,
    private readonly turns: Turns,
  ) {}

  run<T>(work: (transaction: Transaction) => Promise<T>, turn?: string): Promise<T> {
    const whole = (): Promise<T> => orUnavailable(this.transactions.run(() => this.onConnection(work)));
    return turn === undefined ? whole() : this.turns.run(turn, whole);
  }

  private async onConnection<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let isClean: boolean | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        const transaction = new PostgresTransaction(client, this.dataSource);
        try {
          const result = await work(transaction);
          await transaction.commit();
          isClean = true;
          return result;
        } catch (error) {
          isClean = await isRolledBack(transaction, error);
          if (!isClean || !isTransactionConflict(error)) throw error;
          if (attempt === ATTEMPTS) {
            throw new NoAnswerError(`The transaction lost against others ${ATTEMPTS} times.`, {
              cause: error,
            });
          }
        }
        await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    } finally {
      // A connection on which something may be left of a transaction is closed.
      client.release(isClean !== true);
    }
  }
}

/** Rolls back after an error; whether the connection can be used for others. */
async function isRolledBack(transaction: PostgresTransaction, error: unknown): Promise<boolean> {
  try {
    await transaction.rollback();
    return !OUTLIVED.has(sqlStateOf(error));
  } catch {
    return false;
  }
}
