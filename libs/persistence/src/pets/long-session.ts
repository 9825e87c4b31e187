import type { Client } from 'pg';
import { explainUnavailable, isUnavailable } from '../connection/database-errors.js';
import { endClient, openClient } from '../connection/database-client.js';
import type { DataSourceSettings } from '../schema/data-source.js';

/** An export may take minutes, and a statement of it most of one. */
const STATEMENT_SECONDS = 300;
/** A pause in a transaction: of this process, or of who reads its output. */
const IDLE_SECONDS = 120;
/** To wait for a migration. */
const LOCK_SECONDS = 60;

const LIMITS = `
  set statement_timeout = '${STATEMENT_SECONDS}s';
  set idle_in_transaction_session_timeout = '${IDLE_SECONDS}s';
  set lock_timeout = '${LOCK_SECONDS}s'`;

/** The database went away, or gave no response in time, in the middle of an export. */
export class LongSessionError extends Error {
  override readonly name = 'LongSessionError';
}

/** A session with time limits of its own, for work that takes longer than a request may. */
export class LongSession {
  private constructor(private readonly client: Client) {}

  /** Opens a session, does the work, and closes it. @throws {LongSessionError} */
  static async run<T>(
    { url, applicationName = 'petstore' }: DataSourceSettings,
    work: (session: LongSession) => Promise<T>,
  ): Promise<T> {
    const config = { connectionString: url, application_name: applicationName, session: LIMITS };
    const client = await openClient(config).catch(fail);
    try {
      return await work(new LongSession(client)).catch(fail);
    } finally {
      await endClient(client);
    }
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...values])).rows;
  }

  /** Lets `work` read what there is at one moment. @throws whatever `work` throws */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    await this.query('begin isolation level repeatable read read only');
    try {
      return await work();
    } finally {
      // Nothing was changed that could be kept.
      await this.query('rollback').catch(() => undefined);
    }
  }
}

function fail(error: unknown): never {
  if (error instanceof LongSessionError || !isUnavailable(error)) throw error;
  const { message } = error as Error;
  throw new LongSessionError(`${explainUnavailable(error as Error)} Nothing was changed (${message}).`, {
    cause: error,
  });
}
