import type { Client, QueryArrayConfig } from 'pg';
import { endClient } from '../connection/database-client.js';
import type { Statement, TextRow } from './statement.js';

/** For pending queries and the end of a session, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_500;

/** SQLSTATEs after which a connection is replaced (PostgreSQL manual, appendix A). */
const REPLACE_CONNECTION: ReadonlySet<unknown> = new Set([
  '26000', // a prepared statement is unknown
  '0A000', // the columns of a prepared statement have changed
  '25006', // the server has become a standby
  '57P01', // the server ends the session
]);

/** Columns are not parsed: digits of a bigint stay digits, and JSON stays text. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * pg's configuration of each statement. pg copies its own properties for every query, which takes 4 µs; these inherit
 * them.
 */
const configs = new WeakMap<Statement, QueryArrayConfig>();

function configOf(statement: Statement): QueryArrayConfig {
  let config = configs.get(statement);
  if (config === undefined) {
    const { name, text } = statement;
    config = Object.create({ name, text, rowMode: 'array', types: AS_TEXT }) as QueryArrayConfig;
    configs.set(statement, config);
  }
  return config;
}

/** As pg takes it; its declarations do not have this form for rows that are arrays. */
type SendQuery = (
  config: QueryArrayConfig,
  values: readonly unknown[],
  callback: (error: Error | null, result: { readonly rows: readonly TextRow[] }) => void,
) => void;

/**
 * One connection of a pipelined pool. Its queries are sent at once and get their responses in the same order. When one has no
 * response within pg's `query_timeout`, pg cuts the connection.
 */
export class PipelinedConnection {
  private readonly send: SendQuery;
  /** Queries without a response. */
  pending = 0;
  private isCorked = false;

  /**
   * @param client in pipeline mode, with a `query_timeout`
   * @param onGone called when no further query can be sent
   */
  constructor(
    private readonly client: Client,
    private readonly onGone: () => void,
  ) {
    this.send = client.query.bind(client) as SendQuery;
    client.once('error', onGone);
    client.once('end', onGone);
  }

  /** Rejects with the error of pg. */
  query(statement: Statement, values: readonly unknown[]): Promise<readonly TextRow[]> {
    this.pending++;
    this.cork();
    return new Promise((resolve, reject) => {
      // With a callback, pg makes no promise of its own, and no stack trace for an error that may never come.
      this.send(
        configOf(statement),
        values,
        (error: (Error & { readonly code?: unknown }) | null, result) => {
          this.pending--;
          if (error === null || (error as unknown) === undefined) {
            resolve(result.rows);
            return;
          }
          if (REPLACE_CONNECTION.has(error.code)) {
            this.onGone();
            void this.close();
          }
          reject(error);
        },
      );
    });
  }

  /** Lets the pending queries finish, each of which has a timeout. */
  async close(): Promise<void> {
    await endClient(this.client, CLOSE_TIMEOUT_MS);
  }

  /** Collects the messages of one tick in the socket: one system call instead of one for each query. */
  private cork(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    this.client.connection.stream.cork();
    setImmediate(this.uncork);
  }

  private readonly uncork = (): void => {
    this.isCorked = false;
    this.client.connection.stream.uncork();
  };
}
