import type { Configuration } from '@petstore/api';
import { openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database } from '@petstore/persistence';

/** A person waits longer than a request: a list of very many keys takes its time. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Opens the database, brings its schema up to date, does the work, and leaves everything as it was found.
 *
 * @param options name of the program, for `pg_stat_activity`, and where the defaults do not fit those of the database
 * @param work called with the names of the migrations that were applied
 */
export async function withDatabase<Result>(
  { databaseUrl, dataDir }: Configuration,
  options: Omit<Parameters<typeof Database.open>[0], 'url'>,
  work: (database: Database, applied: readonly string[]) => Promise<Result> | Result,
): Promise<Result> {
  const open = (url: string): Promise<Database> =>
    Database.open({ url, poolSize: 4, answerTimeoutMs: ANSWER_TIMEOUT_MS, ...options });
  const inDatabase = async (database: Database): Promise<Result> => {
    try {
      return await work(database, await database.migrate());
    } finally {
      await database.close();
    }
  };
  if (databaseUrl !== undefined) return inDatabase(await open(databaseUrl));
  // The running service's own server, or one that is started for this command.
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined }, open);
  try {
    return await inDatabase(server.session);
  } finally {
    await server.stop();
  }
}
