import type { Configuration } from '@petstore/api';
import { openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database } from '@petstore/persistence';

/**
 * Opens the database, also one that is still empty, does the work, and leaves everything as it was found.
 *
 * @param name of the program, for `pg_stat_activity`
 */
export async function withDatabase<Result>(
  { databaseUrl, dataDir }: Configuration,
  name: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const open = (url: string): Promise<Database> =>
    Database.open({
      url,
      applicationName: name,
      poolSize: 4,
      // A person waits longer than a request: a list of very many keys takes its time.
      answerTimeoutMs: 10_000,
    });
  if (databaseUrl !== undefined) return inDatabase(await open(databaseUrl), work);
  // The running service's own server, or one that is started for this command.
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined }, open);
  try {
    return await inDatabase(server.session, work);
  } finally {
    await server.stop();
  }
}

async function inDatabase<Result>(
  database: Database,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  try {
    await database.migrate();
    return await work(database);
  } finally {
    await database.close();
  }
}
