import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { ForeignSchemaError } from '../connection/database-errors.js';
import { SqlMigration } from '../migrations/sql-migration.js';

/** Number of the advisory lock under which the schema is changed; any other number would do as well. */
const LOCK = 7_381_955;

/**
 * Brings the schema up to date and returns the names of the migrations that were needed.
 *
 * All of it is one transaction under an advisory lock: of many instances that start together one does the
 * work while the others wait, and a failure leaves the schema as it was. A database that knows later
 * migrations than this version of the service is left alone.
 *
 * @throws {ForeignSchemaError}
 * @param dataSource whose sessions have no timeouts: waiting for another instance, or for a large table, takes its time
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const { isForeign } = await schemaState(dataSource, runner);
    if (isForeign) throw new ForeignSchemaError();
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'all';
    const done = await executor.executePendingMigrations();
    if (done.length > 0) await recordFingerprints(dataSource, runner);
    await runner.commitTransaction();
    return done.map(({ name }) => name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** What the schema is, in comparison with the migrations of the program. */
export interface SchemaState {
  /** Names of the migrations that it lacks. */
  readonly missing: readonly string[];
  /** Whether a migration of the program was applied with another text, or without a note of its text. */
  readonly isForeign: boolean;
}

/** Reads the names and fingerprints of what was applied. A database knows none before the first migration. */
export async function schemaState(
  dataSource: DataSource,
  runner: { query(text: string): Promise<unknown> } = dataSource,
): Promise<SchemaState> {
  const [{ hasTable }] = (await runner.query(
    `select to_regclass('schema_migrations') is not null as "hasTable"`,
  )) as [{ readonly hasTable: boolean }];
  // The column is newer than the table.
  const rows = hasTable
    ? ((await runner.query(
        `select name, to_jsonb(applied) ->> 'fingerprint' as fingerprint from schema_migrations applied`,
      )) as readonly { readonly name: string; readonly fingerprint: string | null }[])
    : [];
  const applied = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  const migrations = migrationsOf(dataSource);
  return {
    missing: migrations.map(({ name }) => name).filter((name) => !applied.has(name)),
    isForeign: migrations.some(
      ({ name, fingerprint }) => applied.has(name) && applied.get(name) !== fingerprint,
    ),
  };
}

/** Notes the text of the migrations that were applied just now, beside their names. */
async function recordFingerprints(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  await runner.query('alter table schema_migrations add column if not exists fingerprint text');
  const migrations = migrationsOf(dataSource);
  await runner.query(
    `update schema_migrations applied set fingerprint = given.fingerprint
     from unnest($1::text[], $2::text[]) given (name, fingerprint)
     where applied.name = given.name and applied.fingerprint is null`,
    [migrations.map(({ name }) => name), migrations.map(({ fingerprint }) => fingerprint)],
  );
}

function migrationsOf({ migrations }: DataSource): readonly SqlMigration[] {
  return migrations.filter((migration) => migration instanceof SqlMigration);
}
