import { Transaction } from '@petstore/pet-domain';
import { DatabaseError, type PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Statement } from '../pipeline/statement.js';
import { managerWithin, releaseManager } from './manager-within.js';
import { type BoundStatement, StatementBatch, type TextRow } from './statement-batch.js';

const BEGIN = command('begin');
const COMMIT = command('commit');
const ROLLBACK = command('rollback');

/**
 * A transaction on one connection of the pool, which costs few messages: it begins with the first statements that are
 * sent, and {@link defer}red ones are sent together with the commit.
 */
export class PostgresTransaction extends Transaction {
  /** Sent with the next statements; the first one begins the transaction. */
  private waiting: BoundStatement[] = [BEGIN];
  private begun = false;
  private ended = false;
  private isCommitted = false;
  private entities: EntityManager | undefined;
  private readonly committed: (() => void)[] = [];

  /** @param client on which there is no transaction */
  constructor(
    private readonly client: PoolClient,
    private readonly dataSource: DataSource,
  ) {
    super();
  }

  /** What a store was passed as its transaction. */
  static of(transaction: Transaction): PostgresTransaction {
    if (transaction instanceof PostgresTransaction) return transaction;
    throw new TypeError('The transaction was not made by PostgresUnitOfWork.');
  }

  /** Sends statements in one round trip; the rows of each. One question is asked after the other. */
  async ask(...statements: readonly BoundStatement[]): Promise<readonly (readonly TextRow[])[]> {
    this.refuseAfterEnd();
    const before = this.waiting;
    if (before.length === 0) return this.send(statements).answer;
    this.waiting = [];
    const rows = await this.send([...before, ...statements]).answer;
    return rows.slice(before.length);
  }

  /**
   * Like {@link ask}, and commits in the same round trip: for a transaction whose last statements are as right when
   * they have changed nothing. Nothing can be sent behind it.
   *
   * @throws {Error} when it could not be committed, or when that is not known
   */
  async askAndCommit(...statements: readonly BoundStatement[]): Promise<readonly (readonly TextRow[])[]> {
    this.refuseAfterEnd();
    const rows = this.begun ? await this.endWith(statements) : await this.sendWhole(statements);
    this.isCommitted = true;
    for (const call of this.committed) call();
    return rows;
  }

  private async endWith(statements: readonly BoundStatement[]): Promise<readonly (readonly TextRow[])[]> {
    const { waiting } = this;
    await this.end();
    const batch = this.send([...waiting, ...statements, COMMIT]);
    const rows = await batch.answer;
    // PostgreSQL takes the commit of a transaction in which a statement has failed for a rollback, without an error.
    if (batch.tag !== 'COMMIT')
      throw new Error('A statement of this transaction failed: it was rolled back.');
    return rows.slice(waiting.length, -1);
  }

  /**
   * What is sent together is a transaction without any command that begins or ends it (PostgreSQL's documentation,
   * "Message Flow", "Pipelining"): it is committed before the server says that it is ready again.
   */
  private async sendWhole(statements: readonly BoundStatement[]): Promise<readonly (readonly TextRow[])[]> {
    const [, ...deferred] = this.waiting;
    await this.end();
    try {
      const rows = await this.send([...deferred, ...statements]).answer;
      return rows.slice(deferred.length);
    } catch (error) {
      // What the server itself refuses, it has rolled back.
      if (error instanceof DatabaseError) this.begun = false;
      throw error;
    }
  }

  /** Sends statements whose rows nobody needs with the next ones, at the latest with the commit. */
  defer(...statements: readonly BoundStatement[]): void {
    this.refuseAfterEnd();
    this.waiting.push(...statements);
  }

  /** Calls this once the transaction is committed, and never if it is not. */
  afterCommit(call: () => void): void {
    this.refuseAfterEnd();
    this.committed.push(call);
  }

  /** TypeORM's repositories and queries within this transaction; they cost more than {@link ask}. */
  async manager(): Promise<EntityManager> {
    if (this.waiting.length > 0) await this.ask();
    this.refuseAfterEnd();
    return (this.entities ??= managerWithin(this.dataSource, this.client));
  }

  /**
   * Does nothing when it has been committed already.
   *
   * @throws {Error} when it could not be committed, or when that is not known
   */
  async commit(): Promise<void> {
    if (this.isCommitted) return;
    this.refuseAfterEnd();
    if (!this.begun && this.waiting.length === 1) await this.end();
    else await this.askAndCommit();
  }

  /**
   * Does nothing when it has been committed: what `work` throws afterwards undoes nothing.
   *
   * @throws {Error} when it could not be rolled back: the connection is of no more use then
   */
  async rollback(): Promise<void> {
    await this.end();
    if (this.begun && !this.isCommitted) await this.send([ROLLBACK]).answer;
  }

  /** From now on nobody sends anything: the connection will be somebody else's. */
  private async end(): Promise<void> {
    this.ended = true;
    if (this.entities !== undefined) await releaseManager(this.entities);
  }

  private send(statements: readonly BoundStatement[]): StatementBatch {
    this.begun = true;
    const batch = new StatementBatch(statements);
    this.client.query(batch);
    return batch;
  }

  private refuseAfterEnd(): void {
    if (this.ended) throw new Error('This transaction has ended.');
  }
}

/** A statement of a transaction with its values. */
export function bound(statement: Statement, ...values: BoundStatement['values']): BoundStatement {
  return { statement, values };
}

function command(text: string): BoundStatement {
  return bound({ name: `transaction_${text}`, text });
}
