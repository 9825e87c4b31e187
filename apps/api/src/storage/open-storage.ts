import { type Database, openDatabase } from '@petstore/persistence';
import type { DatabaseServer } from './database-server.js';
import type { Log } from '../logging/log.js';

/**
 * Connects to the database and brings its schema up to date.
 *
 * @throws {DatabaseStartError} whose message is for the person who starts the service
 */
export async function openStorage({ url, embedded }: DatabaseServer, log: Log): Promise<Database> {
  const database = await openDatabase({
    url,
    ...(embedded && { variable: 'The embedded database' }),
    onIdleError: (error) => {
      log.warn({ err: error }, 'idle database connection lost');
    },
  });
  try {
    const applied = await database.migrate();
    if (applied.length > 0) log.info({ migrations: applied }, 'database schema migrated');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
