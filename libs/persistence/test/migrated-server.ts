import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { openDatabase } from '../src/database/database.js';

/** A server with the tables of the service and nobody connected. */
export async function startMigratedServer(): Promise<TestPostgres> {
  const server = await startTestPostgres();
  const database = await openDatabase({ url: server.url });
  await database.migrate();
  await database.close();
  return server;
}
