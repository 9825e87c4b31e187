import type { Configuration } from '@petstore/configuration';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { type Database, openDatabase } from '@petstore/persistence';
import type { Log } from './log.js';

/** The database that the service works on. */
export interface Storage {
  readonly database: Database;
  /** Whether it is the service's own, in the data folder. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Connects to `DATABASE_URL`, or starts the embedded PostgreSQL, and brings the schema up to date. */
export async function openStorage({ databaseUrl, dataDir }: Configuration, log: Log): Promise<Storage> {
  const server =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({
          dataDir,
          log: (line) => {
            log.debug({ postgres: line }, 'embedded PostgreSQL');
          },
        })
      : undefined;
  const database = await connect(server?.url ?? databaseUrl ?? '', log).catch(async (error: unknown) => {
    await server?.stop();
    throw error;
  });
  return {
    database,
    embedded: server !== undefined,
    close: async () => {
      await database.close();
      await server?.stop();
    },
  };
}

async function connect(url: string, log: Log): Promise<Database> {
  const database = await openDatabase({
    url,
    onIdleError: (error) => {
      log.warn({ err: error }, 'an idle database connection broke');
    },
  });
  try {
    const applied = await database.migrate();
    if (applied.length > 0) log.info({ migrations: applied }, 'database schema brought up to date');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
