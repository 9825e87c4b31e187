import type { DatabaseError } from 'pg';
import {
  type DataSource,
  MigrationExecutor,
  type MigrationInterface,
  QueryFailedError,
  type QueryRunner,
} from 'typeorm';
import { prepare } from '../migrations/prepared-migration.js';
import { MIGRATIONS } from './resources.js';

/** Number of the advisory lock under which the schema is changed; any other number would do as well. */
const LOCK = 7_381_955;

/**
 * Brings the schema up to date and returns the names of the migrations that were needed.
 *
 * All of it is one transaction under an advisory lock: of many instances that start together one does the
 * work while the others wait, and a failure leaves the schema as it was. A database that knows later
 * migrations than this version of the service is left alone. Only what cannot be part of a transaction is done before
 * it (`PreparedMigration`).
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await prepare(runner, () => pendingMigrations(dataSource, runner));
    await runner.startTransaction();
    // Waiting for another instance, or for a large table, may take longer than a request may.
    await runner.query('set local statement_timeout = 0');
    await runner.query('set local lock_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'all';
    const done = await executor.executePendingMigrations();
    await runner.commitTransaction();
    return done.map(({ name }) => name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/** Names of the migrations that the schema lacks. A database knows none before the first one. */
export async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = await appliedMigrations(dataSource);
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function pendingMigrations(
  dataSource: DataSource,
  runner: QueryRunner,
): Promise<readonly MigrationInterface[]> {
  const applied = await appliedMigrations(runner);
  return dataSource.migrations.filter(({ name = '' }) => !applied.has(name));
}

async function appliedMigrations(connection: Queryable): Promise<ReadonlySet<string>> {
  try {
    const rows = (await connection.query('select name from schema_migrations')) as readonly {
      readonly name: string;
    }[];
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof QueryFailedError && (error.driverError as DatabaseError).code === UNDEFINED_TABLE)
      return new Set();
    throw error;
  }
}

interface Queryable {
  query(sql: string): Promise<unknown>;
}
