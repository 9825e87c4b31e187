import { type Configuration, readConfiguration } from '@petstore/api';
import { hasDatabase, openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database } from '@petstore/persistence';
import { CommandError } from './errors.js';
import { textLine } from './output.js';
import type { Terminal } from './terminal.js';

/** A person waits longer than a request: a list of very many keys takes its time. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** What commands work with. */
export interface DatabaseContext {
  readonly configuration: Configuration;
  readonly database: Database;
  /** Names of the migrations that were applied for this command. */
  readonly applied: readonly string[];
}

/**
 * Opens the database that the environment names, brings its schema up to date, does the work, and closes
 * what it has opened.
 *
 * @param applicationName name of the program, for `pg_stat_activity`
 * @param mayBeNew whether an embedded database is made where there is none, which is said
 * @throws {CommandError} when there is none
 */
export async function withDatabase<Result>(
  { environment, err }: Terminal,
  applicationName: string,
  work: (context: DatabaseContext) => Promise<Result> | Result,
  mayBeNew = true,
): Promise<Result> {
  const configuration = readConfiguration(environment);
  const { databaseUrl, dataDir } = configuration;
  const open = (url: string): Promise<Database> =>
    Database.open({
      url,
      applicationName,
      poolSize: 4,
      responseTimeoutMs: RESPONSE_TIMEOUT_MS,
      ...(databaseUrl === undefined && { variable: 'The embedded database' }),
    });
  const inDatabase = async (database: Database): Promise<Result> => {
    try {
      return await work({ configuration, database, applied: await database.migrate() });
    } finally {
      await database.close();
    }
  };
  if (databaseUrl !== undefined) return inDatabase(await open(databaseUrl));
  if (!hasDatabase(dataDir)) {
    const none = `DATABASE_URL is not set, and there is no database in ${dataDir}`;
    if (!mayBeNew) throw new CommandError(`${none}.`);
    err(textLine(`note: ${none}: a new one is made there.`));
  }
  // The running service's own server, or one that is started for this command.
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined }, open);
  try {
    return await inDatabase(server.session);
  } finally {
    await server.stop();
  }
}
