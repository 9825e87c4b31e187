import type { DatabaseError } from 'pg';
import { type DataSource, MigrationExecutor, QueryFailedError } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations.js';

/** Number of the advisory lock under which the schema is changed; any other number would do as well. */
const LOCK = 7_381_955;

/**
 * Brings the schema up to date and returns the names of the migrations that were needed.
 *
 * All of it is one transaction under an advisory lock: of many instances that start together one does the
 * work while the others wait, and a failure leaves the schema as it was. A database that knows later
 * migrations than this version of the service is left alone.
 *
 * @param dataSource whose sessions have no timeouts: waiting for another instance, or for a large table, takes its time
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
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

async function appliedMigrations(dataSource: DataSource): Promise<ReadonlySet<string>> {
  try {
    const rows = await dataSource.query<{ readonly name: string }[]>('select name from schema_migrations');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof QueryFailedError && (error.driverError as DatabaseError).code === UNDEFINED_TABLE)
      return new Set();
    throw error;
  }
}
