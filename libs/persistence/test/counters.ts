import { hash } from 'node:crypto';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { type Database, openDatabase } from '../src/database/database.js';
import { bound, PostgresTransaction } from '../src/unit-of-work/postgres-transaction.js';
import type { BoundStatement } from '../src/unit-of-work/statement-batch.js';
import { startMigratedServer } from './migrated-server.js';

/** A statement under a name of its own. */
export const sql = (text: string, ...values: (string | null)[]): BoundStatement =>
  bound({ name: hash('sha1', text), text }, ...values);

/** Adds one to a counter. */
export const count = (name: 'a' | 'b'): BoundStatement =>
  sql('update counters set n = n + 1 where name = $1 returning n', name);

/** A database with two counters, `a` and `b`, and units of work on it. */
export class Counters {
  private constructor(
    private readonly postgres: TestPostgres,
    readonly database: Database,
    /** A session outside of everything. */
    readonly admin: Client,
  ) {}

  static async start(applicationName: string): Promise<Counters> {
    const postgres = await startMigratedServer();
    const database = await openDatabase({ url: postgres.url, applicationName, poolSize: 5 });
    const admin = new Client(postgres.url);
    await admin.connect();
    await admin.query('create table counters (name text primary key, n bigint not null)');
    return new Counters(postgres, database, admin);
  }

  async reset(): Promise<void> {
    await this.admin.query('truncate pets, counters, idempotent_requests');
    await this.admin.query(`insert into counters values ('a', 0), ('b', 0)`);
  }

  run<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.database.unitOfWork.run((transaction) => work(PostgresTransaction.of(transaction)));
  }

  /** What `a` and `b` have been committed as. */
  async read(): Promise<string[]> {
    const { rows } = await this.admin.query<{ n: string }>('select n from counters order by name');
    return rows.map(({ n }) => n);
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await this.database.close();
    await this.postgres.stop();
  }
}
