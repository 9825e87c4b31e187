import { type Client, DatabaseError, type Query } from 'pg';
import { bytesFrom, cutClient, endClient } from '../connection/pg-client.js';
import { type Carrier, QueryBatch } from './query-batch.js';
import type { RowQuery } from './row-query.js';

/** SQLSTATEs after which a connection is of no more use (PostgreSQL manual, appendix A). */
const OUTLIVED: ReadonlySet<string | undefined> = new Set([
  '26000', // it does not know a statement
  '0A000', // the columns of a statement have changed
  '25006', // the server has become a standby while the primary is elsewhere
  '57P01', // the server ends the session: it is shut down, or ordered to
  '57P02', // a crash of another session
  '57P05', // nothing was asked for too long
  '25P03', // nothing was asked within a transaction for too long
]);

/** Called with what becomes of a connection and of its queries. */
export interface Owner {
  /** The connection should no longer be used. Called once or more often. */
  outlived(connection: PipelinedConnection): void;
  /**
   * There is room for further queries.
   *
   * @param skipped queries that were sent and not executed
   */
  freed(skipped: readonly RowQuery<unknown>[]): void;
  /** Milliseconds on a clock that stands while the event loop is blocked. */
  now(): number;
}

/** One connection on which queries are written without waiting for the responses to those before them. */
export class PipelinedConnection implements Carrier {
  /** Sent and not finished, in the order in which their results will come. */
  private readonly sent: QueryBatch[] = [];
  /** When the server last said something that it was asked for, or had nothing to say. */
  private heardAt = 0;
  private heardBytes = 0;

  /** @param client open, in pipeline mode, with every statement prepared */
  constructor(
    private readonly client: Client,
    private readonly owner: Owner,
  ) {
    const gone = (): void => {
      owner.outlived(this);
    };
    client.once('error', gone);
    client.once('end', gone);
  }

  /** Pending queries. */
  get inFlight(): number {
    return this.sent.reduce((sum, { queries }) => sum + queries.length, 0);
  }

  /**
   * Since when the server has sent nothing although queries are pending; `undefined` when none is. Statements that
   * wait for a lock fail one after the other, each in the server's own time limits: that is no silence.
   */
  get silentSince(): number | undefined {
    if (this.sent.length === 0) return undefined;
    const bytes = bytesFrom(this.client);
    if (bytes !== this.heardBytes) {
      this.heardBytes = bytes;
      this.heardAt = this.owner.now();
    }
    return this.heardAt;
  }

  /** Fails what was asked before this moment, without waiting for its responses any longer. */
  giveUp(before: number, error: Error): void {
    for (const { queries } of this.sent) {
      for (const query of queries) if (query.since < before) query.fail(error);
    }
  }

  /** @param queries at least one; the server executes them together */
  send(queries: readonly RowQuery<unknown>[]): void {
    const batch = new QueryBatch(queries, this);
    if (this.sent.length === 0) this.heardAt = this.owner.now();
    this.sent.push(batch);
    for (const query of queries) query.leave();
    this.client.query(batch as unknown as Query);
  }

  /** Results come in the order of the queries. */
  ended(skipped: readonly RowQuery<unknown>[], error?: Error): void {
    this.sent.shift();
    this.heardAt = this.owner.now();
    if (error !== undefined && isOutlived(error)) this.owner.outlived(this);
    this.owner.freed(skipped);
  }

  /** Ends it without waiting; pending queries fail as with any lost connection. */
  cut(): void {
    cutClient(this.client);
  }

  /** Lets queries in flight finish; at most `within` milliseconds. */
  close(within: number): Promise<void> {
    return endClient(this.client, within);
  }
}

/** What the server has not said of one query says something of the connection. */
function isOutlived(error: Error): boolean {
  return !(error instanceof DatabaseError) || OUTLIVED.has(error.code);
}

/** The connection with the fewest pending queries; `undefined` when all have `most`. */
export function leastBusy(
  connections: readonly PipelinedConnection[],
  most: number,
): PipelinedConnection | undefined {
  let least: PipelinedConnection | undefined;
  for (const connection of connections) {
    if (connection.inFlight < (least?.inFlight ?? most)) least = connection;
  }
  return least;
}
