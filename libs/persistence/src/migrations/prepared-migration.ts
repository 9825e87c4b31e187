import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change of the schema of which a part cannot be done in a transaction. */
export interface PreparedMigration extends MigrationInterface {
  /**
   * Does that part, outside of a transaction and before the transaction of all migrations that are needed. Others use
   * the database meanwhile. May be called again after it has succeeded or failed.
   */
  prepare(runner: QueryRunner): Promise<void>;
}

/** Number of the advisory lock under which migrations are prepared. */
const LOCK = 7_381_956;
/** Milliseconds between two attempts to take it. */
const ATTEMPT_INTERVAL_MS = 200;

/**
 * Prepares those of these migrations that need it, one process at a time. No transaction waits for the lock: an index
 * that is built concurrently waits for every transaction there is, and the two would wait for each other.
 */
export async function prepare(
  runner: QueryRunner,
  migrations: () => Promise<readonly MigrationInterface[]>,
): Promise<void> {
  if (!(await migrations()).some(isPrepared)) return;
  await runner.query('set statement_timeout = 0');
  await runner.query('set lock_timeout = 0');
  try {
    while (!(await tryLock(runner))) await sleep(ATTEMPT_INTERVAL_MS);
    // Another process may have done all of it while this one waited.
    for (const migration of (await migrations()).filter(isPrepared)) await migration.prepare(runner);
  } finally {
    // A connection that is lost has lost both.
    await runner.query(`select pg_advisory_unlock(${LOCK})`).catch(ignore);
    await runner.query('reset statement_timeout; reset lock_timeout').catch(ignore);
  }
}

async function tryLock(runner: QueryRunner): Promise<boolean> {
  const [row] = (await runner.query('select pg_try_advisory_lock($1) as locked', [LOCK])) as [
    { readonly locked: boolean },
  ];
  return row.locked;
}

function isPrepared(migration: MigrationInterface): migration is PreparedMigration {
  return 'prepare' in migration;
}

const ignore = (): void => undefined;
