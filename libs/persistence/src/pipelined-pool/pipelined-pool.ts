import { type Client, DatabaseError } from 'pg';
import { NoResponseError, toStoreError } from '../connection/database-errors.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { Statement, TextRow } from './statement.js';

export interface PipelinedPoolOptions {
  /** Begins a session in pipeline mode, with a `query_timeout`; has a time limit of its own. */
  readonly open: () => Promise<Client>;
  /** Most connections; the second and further ones are opened when the others are busy. */
  readonly connections: number;
}

/** Open connections, those of them that are idle, and callers that wait for one. */
export interface PoolStats {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Most pending queries; beyond that the server could not respond to all of them in time. */
const MAX_PENDING = 4_096;
/** After a failed attempt to connect, none is made for this long, and what needs one fails at once. */
const RECONNECT_PAUSE_MS = 100;
const PING: Statement = { name: 'ping', text: 'select 1' };

/**
 * Short statements without a transaction of their own: hot reads, the look-up of keys, and the creation of animals. A few
 * connections carry many queries at once by pg's pipeline mode; the queries of one event loop tick leave in one write. A
 * statement through TypeORM's pool takes about three times the CPU.
 *
 * A query returns or rejects within its timeout and that of a connection, and is sent once. One that is lost with its
 * connection may have been executed.
 */
export class PipelinedPool {
  private connections: PipelinedConnection[] = [];
  private opening: Promise<PipelinedConnection> | undefined;
  private retryAt = 0;
  /** Why the last attempt to connect failed; `undefined` after one that did not. */
  private refusal: Error | undefined;
  private waiting = 0;
  private isClosed = false;
  /** Queries of this tick that {@link queryOnce} was called with. */
  private readonly shared = new Map<string, Promise<readonly TextRow[]>>();

  constructor(private readonly options: PipelinedPoolOptions) {}

  get stats(): PoolStats {
    const idle = this.connections.filter(({ pending }) => pending === 0).length;
    return { total: this.connections.length, idle, waiting: this.waiting };
  }

  /**
   * Runs a statement and returns its rows.
   *
   * @throws {StoreUnavailableError} when the database is unavailable or does not respond in time
   */
  async query(statement: Statement, values: readonly unknown[] = []): Promise<readonly TextRow[]> {
    try {
      const connection = this.leastBusy() ?? (await this.firstConnection());
      return await connection.query(statement, values);
    } catch (error) {
      // The stack of such an error begins at the socket and does not name the query; the name contains no values.
      if (error instanceof DatabaseError) Object.assign(error, { statement: statement.name });
      throw toStoreError(error as Error);
    }
  }

  /** Like {@link query}, for a read: equal ones of one event loop tick are sent once. */
  queryOnce(statement: Statement, values: readonly unknown[] = []): Promise<readonly TextRow[]> {
    const { shared } = this;
    const key = `${statement.name} ${values.join(' ')}`;
    const pending = shared.get(key);
    if (pending !== undefined) return pending;
    if (shared.size === 0) setImmediate(this.endTick);
    const rows = this.query(statement, values);
    shared.set(key, rows);
    return rows;
  }

  /** Resolves when a connection responds, whatever becomes of tables. */
  ping(): Promise<readonly TextRow[]> {
    return this.query(PING);
  }

  /** Lets pending queries finish, at most as long as their timeout, and closes the connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.opening?.catch(() => undefined);
    await Promise.all(this.connections.splice(0).map((connection) => connection.close()));
  }

  private readonly endTick = (): void => {
    this.shared.clear();
  };

  /** `undefined` when no connection is open. */
  private leastBusy(): PipelinedConnection | undefined {
    if (this.isClosed) throw new NoResponseError('The database connection is closed.');
    let least = this.connections[0];
    if (least === undefined) return undefined;
    for (const connection of this.connections) if (connection.pending < least.pending) least = connection;
    if (least.pending > 0) this.openAnother();
    if (least.pending >= MAX_PENDING / this.connections.length)
      throw new NoResponseError('Too many queries wait for the database.');
    return least;
  }

  private async firstConnection(): Promise<PipelinedConnection> {
    if (this.refusal !== undefined && performance.now() < this.retryAt) throw this.refusal;
    if (this.waiting >= MAX_PENDING) throw new NoResponseError('Too many queries wait for the database.');
    this.waiting++;
    try {
      return await this.connect();
    } finally {
      this.waiting--;
    }
  }

  private openAnother(): void {
    if (this.connections.length >= this.options.connections || performance.now() < this.retryAt) return;
    // The queries go on with the connections that are open.
    void this.connect().catch(() => undefined);
  }

  private connect(): Promise<PipelinedConnection> {
    this.opening ??= this.options
      .open()
      .then((client) => {
        const connection = new PipelinedConnection(client, () => {
          this.connections = this.connections.filter((one) => one !== connection);
        });
        this.connections.push(connection);
        this.refusal = undefined;
        return connection;
      })
      .catch((error: unknown) => {
        this.retryAt = performance.now() + RECONNECT_PAUSE_MS;
        this.refusal = error as Error;
        throw error;
      })
      .finally(() => {
        this.opening = undefined;
      });
    return this.opening;
  }
}
