import { type Client, DatabaseError } from 'pg';
import type { CircuitBreaker } from '../connection/circuit-breaker.js';
import { NoAnswerError } from '../connection/no-answer.error.js';
import { toStoreError } from '../connection/store-unavailable.js';
import { noteStatement } from './note-statement.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { Statement, TextRow } from './statement.js';

export interface FastLaneOptions {
  /** Makes a connection in pipeline mode; has a time limit of its own. */
  readonly open: () => Promise<Client>;
  /** Milliseconds in which a query must have its response; then its connection is cut. */
  readonly timeoutMs: number;
  readonly breaker: CircuitBreaker;
  /** Most connections; the second and further ones are opened when the others are busy. */
  readonly connections: number;
}

/** Open connections, those of them without a pending query, and queries that wait for a first connection. */
export interface FastLaneStats {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Most pending queries; beyond that the server could not respond to all of them in time. */
const MAX_PENDING = 4_096;
/** After a failed attempt to connect, none is made for this long while other connections are open. */
const RECONNECT_PAUSE_MS = 100;

const PING: Statement = { name: 'ping', text: 'select 1' };
/**
 * Short statements without a transaction of their own: hot reads, and the creation of animals. A few connections carry
 * many queries at once by pg's pipeline mode; the queries of one event loop tick leave in one write. A statement through
 * TypeORM's pool takes about three times the CPU.
 *
 * Every query returns or rejects within its timeout, is never sent twice, and is refused at once while the circuit
 * breaker is open. A query that is lost with its connection may have been executed.
 */
export class FastLane {
  private connections: PipelinedConnection[] = [];
  private opening: Promise<PipelinedConnection> | undefined;
  private retryAt = 0;
  private waiting = 0;
  private isClosed = false;
  /** Queries of this tick that {@link queryOnce} was called with. */
  private readonly shared = new Map<string, Promise<readonly TextRow[]>>();

  constructor(private readonly options: FastLaneOptions) {}

  get stats(): FastLaneStats {
    const idle = this.connections.filter(({ pending }) => pending === 0).length;
    return { total: this.connections.length, idle, waiting: this.waiting };
  }

  /**
   * Runs a statement and returns its rows.
   *
   * @throws {StoreUnavailableError} when the database is unavailable or does not respond in time
   */
  async query(statement: Statement, values: readonly unknown[] = []): Promise<readonly TextRow[]> {
    const { breaker } = this.options;
    try {
      const connection = this.leastBusy() ?? (await this.firstConnection());
      const rows = await connection.query(statement, values);
      breaker.recordResponse();
      return rows;
    } catch (error) {
      const failure = noteStatement(error as Error, statement.name);
      if (failure instanceof DatabaseError) breaker.recordResponse();
      breaker.recordFailure(failure);
      throw toStoreError(failure);
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

  /**
   * Resolves when the server responds on a connection that is open, also while the breaker is; rejects when it does not,
   * or none is open.
   */
  async ping(): Promise<void> {
    await Promise.any(this.connections.map((connection) => connection.query(PING, [])));
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
    const { breaker } = this.options;
    if (this.isClosed) throw new NoAnswerError('The database connection is closed.');
    if (breaker.refusal !== undefined) throw breaker.refusal;
    let least = this.connections[0];
    if (least === undefined) return undefined;
    for (const connection of this.connections) if (connection.pending < least.pending) least = connection;
    if (least.pending > 0) this.openAnother();
    if (least.pending >= MAX_PENDING / this.connections.length)
      throw new NoAnswerError('Too many queries wait for the database.');
    return least;
  }

  private async firstConnection(): Promise<PipelinedConnection> {
    if (this.waiting >= MAX_PENDING) throw new NoAnswerError('Too many queries wait for the database.');
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
        const connection = new PipelinedConnection(client, this.options.timeoutMs, () => {
          this.connections = this.connections.filter((one) => one !== connection);
        });
        this.connections.push(connection);
        return connection;
      })
      .catch((error: unknown) => {
        this.retryAt = performance.now() + RECONNECT_PAUSE_MS;
        throw error;
      })
      .finally(() => {
        this.opening = undefined;
      });
    return this.opening;
  }
}
