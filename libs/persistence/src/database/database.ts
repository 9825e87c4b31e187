import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { CircuitBreaker } from '../connection/circuit-breaker.js';
import type { DatabaseClientConfig } from '../connection/database-client.js';
import { explainStart } from '../connection/explain-start.js';
import { endClient, openClient } from '../connection/pg-client.js';
import { allowedMethods, requireAuthOf } from '../connection/require-auth.js';
import { sessionTimeouts, type Timeouts, timeoutsWithin } from '../connection/timeouts.js';
import { FastLane } from '../fast-lane/fast-lane.js';
import { PLANNER_SETTINGS } from '../fast-lane/planner-settings.js';
import type { Statement } from '../fast-lane/statement.js';
import { checkDatabase } from '../schema/check-database.js';
import { createDataSource, type DataSourceSettings, POOL_SIZE, VARIABLE } from '../schema/data-source.js';
import { migrate, missingMigrations } from '../schema/migrate.js';
import { Loans } from './loans.js';
import { type ReadLane, ReadReplica } from './read-replica.js';

/** Leaves room for connecting, for noticing a failure and for the HTTP response within two seconds. */
const RESPONSE_TIMEOUT_MS = 1_400;
/** Share of it for a read on a replica: the primary still serves it within two seconds when the replica does not. */
const REPLICA_SHARE = 3 / 7;
/** One is fast enough; the second serves while a slow query blocks the first. */
const READ_CONNECTIONS = 2;
/** Commits on one connection come one after the other; those of several share a write to the disk. */
const INSERT_CONNECTIONS = 4;
const KEY_CONNECTIONS = 1;
/** Connections of the pool that transactions of requests leave to keys, health and background work. */
const RESERVED_CONNECTIONS = 4;
/** Connections of the pool that are opened at the start. */
const WARM_CONNECTIONS = 4;
/** How long a start waits for a server that was there a moment ago. */
const WARM_UP_TIMEOUT_MS = 2_000;
const PING: Statement = { name: 'ping', text: 'select 1' };
const TAKES_WRITES = `select current_setting('transaction_read_only') = 'off' as writes`;
/** How long the server may take to close the sessions of the pool. */
const CLOSE_TIMEOUT_MS = 500;

/** Connections that are open, idle connections, and callers that wait for one. */
export interface PoolStats {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * The connections to the service's PostgreSQL database: TypeORM's pool for repositories and transactions, and fast
 * lanes for hot statements, separate because reads would wait behind every commit. Its creator closes it.
 *
 * Every call returns within the settings' `answerTimeoutMs`, or rejects within 1.2 times that; at once while the server is
 * known to be unavailable. A server that is back is noticed within a quarter of a second. No statement is ever sent twice.
 */
export class Database {
  /** For hot reads. */
  readonly reads: FastLane;
  /** For the creation of pets. */
  readonly inserts: FastLane;
  /** For the look-up of keys: a lock on the table of another read must not keep keys waiting. */
  readonly keys: FastLane;
  readonly breaker: CircuitBreaker;
  /** For reads that may lag, see {@link readsFor}. */
  readonly replica: ReadReplica | undefined;
  private readonly loans: Loans;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly settings: DataSourceSettings,
    readonly dataSource: DataSource,
    private readonly pool: Pool,
    readonly timeouts: Timeouts,
  ) {
    const config = clientConfig(settings, timeouts);
    const breaker = new CircuitBreaker({
      isConnected: () => this.loans.size > 0 || this.lanes.some(({ stats }) => stats.total > 0),
      ping: () => this.pingOpen(),
      connect: () => connectOnce(config),
    });
    this.breaker = breaker;
    const lane = (connections: number): FastLane => openLane(config, timeouts, breaker, connections);
    this.reads = lane(READ_CONNECTIONS);
    this.inserts = lane(INSERT_CONNECTIONS);
    this.keys = lane(KEY_CONNECTIONS);
    if (settings.readUrl !== undefined) this.replica = this.openReplica(settings.readUrl);
    this.loans = new Loans(pool, timeouts, breaker, settings);
  }

  /**
   * Connects and checks that the service can use the database.
   *
   * @throws {DatabaseStartError} when the server cannot be reached, refuses the session, has another version, does not
   * keep its text in UTF-8, or does not keep sessions. The message is for the person who configured the address.
   */
  static async open(settings: DataSourceSettings): Promise<Database> {
    try {
      allowedMethods(requireAuthOf(settings.url), true);
      if (settings.readUrl !== undefined) allowedMethods(requireAuthOf(settings.readUrl), true);
      const timeouts = timeoutsWithin(settings.answerTimeoutMs ?? RESPONSE_TIMEOUT_MS);
      await checkDatabase(settings.url);
      const pools: Pool[] = [];
      const session = { session: sessionTimeouts(timeouts) };
      const dataSource = createDataSource(settings, session, (pool) => pools.push(pool));
      await dataSource.initialize();
      const [pool] = pools as [Pool];
      const database = new Database(settings, dataSource, pool, timeouts);
      await database.warmUp();
      return database;
    } catch (error) {
      throw explainStart(error, settings.url, settings.variable ?? VARIABLE);
    }
  }

  /**
   * Most concurrent transactions of requests: about as many as connections are open while no further one can be made.
   */
  get maxTransactions(): number {
    const { breaker, loans, settings } = this;
    const most = Math.max(1, (settings.poolSize ?? POOL_SIZE) - RESERVED_CONNECTIONS);
    return breaker.isLimited ? Math.min(most, Math.max(1, loans.size - 1)) : most;
  }

  /**
   * Where hot reads go.
   *
   * @param mayLag whether the reader takes what was true some seconds ago, see {@link ReadReplica}: then a replica may serve,
   *   if there is one
   */
  readsFor(mayLag: boolean): ReadLane {
    return mayLag ? (this.replica ?? this.reads) : this.reads;
  }

  /** TypeORM's manager on the pool. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Brings the schema up to date. Many processes may do so at once.
   *
   * @returns the names of the migrations that were needed
   * @throws {DatabaseStartError} when the role may not do so, or the database is unavailable
   */
  async migrate(): Promise<string[]> {
    const { settings } = this;
    try {
      if ((await this.missingMigrations()).length === 0) return [];
      // A change of the schema may take longer than a request: it has a connection without timeouts.
      const patient = await createDataSource({ ...settings, poolSize: 1 }).initialize();
      try {
        return await migrate(patient);
      } finally {
        await patient.destroy();
      }
    } catch (error) {
      throw explainStart(error, settings.url, settings.variable ?? VARIABLE);
    }
  }

  /** Names of the migrations that the schema lacks. Rejects when the database does not respond. */
  missingMigrations(): Promise<string[]> {
    return missingMigrations(this.dataSource);
  }

  /** Whether a session of the pool may write. One that may not is closed: the next one may lead to another server. */
  async takesWrites(): Promise<boolean> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as Client;
      const [row] = await runner.manager.query<[{ readonly writes: boolean }]>(TAKES_WRITES);
      if (!row.writes) void client.end().catch(() => undefined);
      return row.writes;
    } finally {
      await runner.release();
    }
  }

  /** For metrics; asks no server. */
  poolStats(): PoolStats {
    const { pool } = this;
    const lanes = this.lanes.map(({ stats }) => stats);
    const sum = (name: keyof PoolStats): number => lanes.reduce((total, stats) => total + stats[name], 0);
    return {
      total: pool.totalCount + sum('total'),
      idle: pool.idleCount + sum('idle'),
      waiting: pool.waitingCount + sum('waiting'),
    };
  }

  /** Resolves when a connection of the pool responds. */
  async ping(): Promise<void> {
    await this.dataSource.query('select 1');
  }

  /** Resolves when the fast lane responds, whatever becomes of other connections and of tables. */
  async responds(): Promise<void> {
    await this.reads.query(PING);
  }

  /** Lets running statements end, at most as long as they may take, and closes every connection. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /** Called by Nest last of all: the last writes happen in earlier hooks. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private get lanes(): readonly FastLane[] {
    return [this.reads, this.inserts, this.keys];
  }

  private async closeAll(): Promise<void> {
    await this.replica?.close();
    await Promise.all([...this.lanes.map((lane) => lane.close()), this.breaker.close()]);
    // Loans end in bounded time; pg does not wait for the server to close the idle sessions, which may never happen.
    await this.dataSource.destroy();
    setTimeout(() => {
      this.loans.cut();
    }, CLOSE_TIMEOUT_MS).unref();
  }

  /**
   * Opens connections of each kind, so that the first requests need not wait for them. A role that may have few is served
   * with those: one for reads comes first.
   */
  private async warmUp(): Promise<void> {
    for (const lane of this.lanes) await lane.query(PING).catch(() => undefined);
    await Promise.allSettled(Array.from({ length: WARM_CONNECTIONS }, () => this.ping()));
    // A process that starts is busy, and may not have seen in time what the server responded.
    await Promise.race([this.breaker.closed, sleep(WARM_UP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** Resolves when the server responds on one of the connections that are open. */
  private async pingOpen(): Promise<void> {
    const lanes = this.lanes.filter(({ stats }) => stats.total > 0);
    const pings = lanes.map((lane) => lane.ping());
    // Only then: it would take the connection of a request.
    if (lanes.length === 0 && this.pool.idleCount > 0) pings.push(this.ping());
    await Promise.any(pings);
  }

  private openReplica(url: string): ReadReplica {
    const { onReplicaChange = () => undefined, maxAgeAloneMs } = this.settings;
    const timeouts = timeoutsWithin((this.settings.answerTimeoutMs ?? RESPONSE_TIMEOUT_MS) * REPLICA_SHARE);
    const config = clientConfig({ ...this.settings, url }, timeouts);
    const breaker: CircuitBreaker = new CircuitBreaker({
      isConnected: () => lane.stats.total > 0,
      ping: () => lane.ping(),
      connect: () => connectOnce(config),
    });
    const lane = openLane(config, timeouts, breaker, 1);
    return new ReadReplica(lane, breaker, this.reads, onReplicaChange, maxAgeAloneMs);
  }
}

async function connectOnce(config: DatabaseClientConfig): Promise<void> {
  await endClient(await openClient(config));
}

function clientConfig(
  { url, applicationName = 'petstore' }: DataSourceSettings,
  timeouts: Timeouts,
): DatabaseClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectMs: timeouts.connectMs,
    session: sessionTimeouts(timeouts),
  };
}

function openLane(
  config: DatabaseClientConfig,
  { queryMs: timeoutMs }: Timeouts,
  breaker: CircuitBreaker,
  connections: number,
): FastLane {
  const session = `${config.session ?? ''}${PLANNER_SETTINGS}`;
  const open = (): Promise<Client> => openClient({ ...config, pipeline: true, session });
  return new FastLane({ open, timeoutMs, breaker, connections });
}
