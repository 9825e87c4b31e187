import type { Client, QueryArrayConfig } from 'pg';
import { NoAnswerError, SilentServerError } from '../connection/no-answer.error.js';
import { bytesFrom, cutClient, endClient } from '../connection/pg-client.js';
import type { Statement, TextRow } from './statement.js';

/** For pending queries and the end of a session, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_500;

/** Steps in which the timeout of a query is counted: it expires up to one of them late. */
const STEPS = 8;

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

/** A moment of a connection: queries sent until then, and bytes that the server had sent. */
interface Step {
  readonly sent: number;
  readonly received: number;
}

/**
 * One connection of the fast lane. Its queries are sent at once and get their responses in the same order.
 *
 * One timer serves all of them. It counts only time in which this process runs: each step counts as long as it should have
 * taken, however late its timer is, so that a process that was suspended does not take its own pause for the silence of the
 * server.
 */
export class PipelinedConnection {
  private readonly send: SendQuery;
  private sent = 0;
  private done = 0;
  /** One for each step of the last timeout, the oldest first. */
  private readonly steps: Step[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isCorked = false;
  /** Why the connection was cut; `undefined` while it was not. */
  private cutBy: NoAnswerError | undefined;

  /**
   * @param timeoutMs in which a query must have its response; then the connection is cut
   * @param onGone called when no further query can be sent
   */
  constructor(
    private readonly client: Client,
    private readonly timeoutMs: number,
    private readonly onGone: () => void,
  ) {
    this.send = client.query.bind(client) as SendQuery;
    client.once('error', onGone);
    client.once('end', onGone);
  }

  /** Queries without a response. */
  get pending(): number {
    return this.sent - this.done;
  }

  /** Rejects with the error of pg, or the one that says why the connection was cut. */
  query(statement: Statement, values: readonly unknown[]): Promise<readonly TextRow[]> {
    this.sent++;
    this.cork();
    this.timer ??= setTimeout(this.step, this.timeoutMs / STEPS).unref();
    return new Promise((resolve, reject) => {
      // With a callback, pg makes no promise of its own, and no stack trace for an error that may never come.
      this.send(configOf(statement), values, (error, result) => {
        this.done++;
        if (error) reject(this.failed(error));
        else resolve(result.rows);
      });
    });
  }

  /** Lets the pending queries finish, each of which has a timeout. */
  async close(): Promise<void> {
    await endClient(this.client, CLOSE_TIMEOUT_MS);
  }

  private failed(error: Error & { readonly code?: unknown }): Error {
    if (REPLACE_CONNECTION.has(error.code)) {
      this.onGone();
      void this.close();
    }
    return this.cutBy ?? error;
  }

  private readonly step = (): void => {
    this.timer = undefined;
    if (this.pending === 0) {
      this.steps.length = 0;
      return;
    }
    const oldest = this.steps.length === STEPS ? this.steps.shift() : undefined;
    // Timers come before sockets are read: the response may be there.
    if (oldest !== undefined && oldest.sent > this.done) setImmediate(this.expire, oldest);
    this.steps.push({ sent: this.sent, received: bytesFrom(this.client) });
    this.timer = setTimeout(this.step, this.timeoutMs / STEPS).unref();
  };

  private readonly expire = ({ sent, received }: Step): void => {
    if (sent <= this.done || this.cutBy !== undefined) return;
    // A server that goes on sending is there, however late its responses are.
    this.cutBy =
      bytesFrom(this.client) === received
        ? new SilentServerError(performance.now() - this.timeoutMs)
        : new NoAnswerError('The database was too busy to respond in time.');
    cutClient(this.client);
  };

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
