import { startMigratedPostgres, type TestPostgres } from '@petstore/test-servers';
import { openDatabase } from '../src/database/database.js';

/** A server with the tables of the service and nobody connected. */
export const startMigratedServer = (): Promise<TestPostgres> => startMigratedPostgres(openDatabase);
