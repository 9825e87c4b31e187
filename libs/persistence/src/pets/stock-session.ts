import type { Client } from 'pg';
import { isConnectionFailure, isDiskFull } from '../connection/database-errors.js';
import { endClient, openClient } from '../connection/database-client.js';
import type { DataSourceSettings } from '../schema/data-source.js';

/** An import or an export may take minutes, and a statement of it most of one. */
const STATEMENT_SECONDS = 300;
/** A pause in a transaction: of this process, or of who reads its output. */
const IDLE_SECONDS = 120;
/** To wait for a row of a request, or for another import that makes the same category. */
const LOCK_SECONDS = 60;

const LIMITS = `
  set statement_timeout = '${STATEMENT_SECONDS}s';
  set idle_in_transaction_session_timeout = '${IDLE_SECONDS}s';
  set lock_timeout = '${LOCK_SECONDS}s';
  -- Most of what an import stages stays in memory of the server.
  set temp_buffers = '64MB'`;

/** The database went away, or gave no response in time, in the middle of an import or export. */
export class StockSessionError extends Error {
  override readonly name = 'StockSessionError';
}

/** A session with time limits of its own, for work that takes longer than a request may. */
export class StockSession {
  private constructor(private readonly client: Client) {}

  /** Opens a session, does the work, and closes it. @throws {StockSessionError} */
  static async run<T>(
    { url, applicationName = 'petstore' }: DataSourceSettings,
    work: (session: StockSession) => Promise<T>,
  ): Promise<T> {
    const config = { connectionString: url, application_name: applicationName, session: LIMITS };
    const client = await openClient(config).catch(fail);
    try {
      return await work(new StockSession(client)).catch(fail);
    } finally {
      await endClient(client);
    }
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...values])).rows;
  }

  /** @throws whatever `work` throws, when nothing of it is kept */
  async transaction<T>(begin: string, work: () => Promise<T>): Promise<T> {
    await this.query(begin);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await this.query('rollback').catch(() => undefined);
      throw error;
    }
    await this.query('commit').catch((error: unknown) => {
      throw new StockSessionError(
        'The connection to the database was lost at the end: all of it is kept, or nothing. Give the command again.',
        { cause: error },
      );
    });
    return result;
  }
}

function fail(error: unknown): never {
  if (error instanceof StockSessionError || !isConnectionFailure(error)) throw error;
  if (isDiskFull(error))
    throw new StockSessionError('The disk of the database is full: free space on it.', { cause: error });
  throw new StockSessionError(
    `The database cannot be reached or does not respond (${(error as Error).message}): nothing was changed.`,
    { cause: error },
  );
}
