import { startMigratedPostgres, type TestPostgres } from '@petstore/test-servers';
import { Database } from '../src/database/database.js';

/** A server with the tables of the service and nobody connected. */
export const startMigratedServer = (): Promise<TestPostgres> =>
  startMigratedPostgres((settings) => Database.open(settings));
