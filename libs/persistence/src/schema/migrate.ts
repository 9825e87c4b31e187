import { type DataSource, MigrationExecutor } from 'typeorm';
import { sqlStateOf } from '../connection/database-errors.js';
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

/** Names of the migrations that the schema lacks. A database knows none before the first one. */
export async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = await dataSource
    .query<{ readonly name: string }[]>('select name from schema_migrations')
    .catch((error: unknown) => {
      // There is no such table.
      if (sqlStateOf(error) === '42P01') return [];
      throw error;
    });
  const names = new Set(applied.map(({ name }) => name));
  return MIGRATIONS.map(({ name }) => name).filter((name) => !names.has(name));
}
