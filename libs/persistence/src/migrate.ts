import { type DataSource, MigrationExecutor } from 'typeorm';

/** Number of the advisory lock under which the schema is changed; any other number would do as well. */
const LOCK = 7_381_955;

/**
 * Brings the schema up to date and returns the names of the migrations that were needed.
 *
 * All of it is one transaction under an advisory lock: of many instances that start together one does the
 * work while the others wait, and a failure leaves the schema as it was. A database that knows later
 * migrations than this version of the service is left alone.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
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
