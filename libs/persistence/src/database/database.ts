import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { type DatabaseClientConfig, endClient, openClient } from '../connection/database-client.js';
import { ForeignSchemaError } from '../connection/database-errors.js';
import { explainStart } from '../connection/explain-start.js';
import { refuseTransactionPooler } from '../connection/pooler-check.js';
import { type Timeouts, timeoutsWithin } from '../connection/session.js';
import { PipelinedPool, type PoolStats } from '../pipelined-pool/pipelined-pool.js';
import { PLANNER_SETTINGS } from '../pipelined-pool/planner-settings.js';
import { createDataSource, type DataSourceSettings, POOL_SIZE, VARIABLE } from '../schema/data-source.js';
import { migrate, schemaState } from '../schema/migrate.js';
import { CheckedOutClients } from './checked-out-clients.js';
import { ReadReplica, type Reads } from './read-replica.js';

/** Leaves room for connecting, for noticing a failure and for the HTTP response within two seconds. */
const RESPONSE_TIMEOUT_MS = 1_400;
/** Share of it for a read on a replica: the primary still serves it within two seconds when the replica does not. */
const REPLICA_SHARE = 3 / 7;
/** One is fast enough; the second serves while a slow query blocks the first. */
const READ_CONNECTIONS = 2;
/** Beside the others: a search may take as long as a statement may, and other reads do not wait for it. */
const SEARCH_CONNECTIONS = 2;
/** Commits on one connection come one after the other; those of several share a write to the disk. */
const INSERT_CONNECTIONS = 4;
const KEY_CONNECTIONS = 1;
/** Connections of the pool that transactions of requests leave to keys, health and background work. */
const RESERVED_CONNECTIONS = 4;
/** Connections of the pool that are opened at the start. */
const WARM_CONNECTIONS = 4;
/** For a session that is begun to see whether there can be one: part of a check that must be over sooner than others. */
const PROBE_MS = 500;
/** How long the server may take to close the sessions of the pool. */
const CLOSE_TIMEOUT_MS = 500;

/**
 * The connections to the service's PostgreSQL database: TypeORM's pool for repositories and transactions, and pipelined
 * pools for hot statements, separate because reads would wait behind every commit. Its creator closes it.
 *
 * A call returns or rejects within the settings' `responseTimeoutMs` once it has its turn ({@link timeoutsWithin}).
 */
export class Database {
  /** For hot reads. */
  readonly reads: PipelinedPool;
  /** For searches on the primary. */
  readonly searches: PipelinedPool;
  /** For the creation of animals. */
  readonly inserts: PipelinedPool;
  /** For the look-up of keys: a lock on the table of another read must not keep keys waiting. */
  readonly keys: PipelinedPool;
  /** For reads that may be stale, see {@link readsFor}. */
  readonly replica: ReadReplica | undefined;
  /** Most concurrent transactions of requests. */
  readonly maxTransactions: number;
  private readonly config: DatabaseClientConfig;
  private readonly pool: Pool;
  private readonly clients: CheckedOutClients;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly settings: DataSourceSettings,
    readonly dataSource: DataSource,
    readonly timeouts: Timeouts,
    private readonly sessions: SessionAttempts,
  ) {
    this.maxTransactions = Math.max(1, (settings.poolSize ?? POOL_SIZE) - RESERVED_CONNECTIONS);
    this.config = { ...clientConfig(settings, timeouts), onAttempt: sessions.record };
    this.reads = openPipelinedPool(this.config, timeouts, READ_CONNECTIONS);
    this.searches = openPipelinedPool(this.config, timeouts, SEARCH_CONNECTIONS);
    this.inserts = openPipelinedPool(this.config, timeouts, INSERT_CONNECTIONS);
    this.keys = openPipelinedPool(this.config, timeouts, KEY_CONNECTIONS);
    if (settings.readUrl !== undefined) this.replica = this.openReplica(settings.readUrl);
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    // Until now a start may have taken longer than a request.
    this.pool.options.connectionTimeoutMillis = timeouts.connectMs;
    this.clients = new CheckedOutClients(this.pool, timeouts.checkoutMs);
  }

  /**
   * Connects, and refuses a pooler that shares sessions.
   *
   * @throws {DatabaseStartError} when no session can be begun. The message is for the person who configured the address.
   */
  static async open(settings: DataSourceSettings): Promise<Database> {
    try {
      const timeouts = timeoutsWithin(settings.responseTimeoutMs ?? RESPONSE_TIMEOUT_MS);
      await refuseTransactionPooler({ connectionString: settings.url, application_name: 'petstore check' });
      const sessions = new SessionAttempts(settings.onSessionAttempt);
      const dataSource = createDataSource(settings, {
        session: timeouts.ofSession,
        onAttempt: sessions.record,
      });
      await dataSource.initialize();
      const database = new Database(settings, dataSource, timeouts, sessions);
      await database.warmUp();
      return database;
    } catch (error) {
      throw explainStart(error, settings.url, settings.variable ?? VARIABLE);
    }
  }

  /**
   * Where hot reads go.
   *
   * @param allowStale whether the reader takes what was true some seconds ago, see {@link ReadReplica}: then a replica may
   *   serve, if there is one
   */
  readsFor(allowStale: boolean): Reads {
    return allowStale ? (this.replica ?? this.reads) : this.reads;
  }

  /** Where searches go, see {@link readsFor}. */
  searchesFor(allowStale: boolean): Reads {
    const { replica, searches } = this;
    if (!allowStale || replica === undefined) return searches;
    return {
      queryOnce: (...query) =>
        replica.serve((reads, isReplica) => (isReplica ? reads : searches).queryOnce(...query)),
    };
  }

  /** TypeORM's manager on the pool. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Brings the schema up to date. Many processes may do so at once.
   *
   * @returns the names of the migrations that were needed
   * @throws {DatabaseStartError} when the role may not do so, the database is unavailable, or another state of the
   *   service has made it
   */
  async migrate(): Promise<string[]> {
    const { settings } = this;
    try {
      const { missing, isForeign } = await schemaState(this.dataSource);
      if (isForeign) throw new ForeignSchemaError();
      if (missing.length === 0) return [];
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

  /** Whether further sessions can be begun: one is, if the last attempt failed. */
  async takesSessions(): Promise<boolean> {
    if (this.sessions.refusal === undefined) return true;
    return openClient({ ...this.config, connectionTimeoutMillis: PROBE_MS }).then(
      (client) => endClient(client).then(() => true),
      () => false,
    );
  }

  /** For metrics; asks no server. */
  poolStats(): PoolStats {
    const { pool } = this;
    const pipelined = this.pipelined.map(({ stats }) => stats);
    const sum = (name: keyof PoolStats): number => pipelined.reduce((total, stats) => total + stats[name], 0);
    return {
      total: pool.totalCount + sum('total'),
      idle: pool.idleCount + sum('idle'),
      waiting: pool.waitingCount + sum('waiting'),
    };
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

  private get pipelined(): readonly PipelinedPool[] {
    return [this.reads, this.searches, this.inserts, this.keys];
  }

  private async closeAll(): Promise<void> {
    await this.replica?.close();
    await Promise.all(this.pipelined.map((pool) => pool.close()));
    // Transactions end in bounded time; pg does not wait for the server to close the idle sessions, which may never happen.
    await this.dataSource.destroy();
    setTimeout(() => {
      this.clients.cut();
    }, CLOSE_TIMEOUT_MS).unref();
  }

  /**
   * Opens connections of each kind, so that the first requests need not wait for them. A role that may have few is served
   * with those: one for reads comes first.
   */
  private async warmUp(): Promise<void> {
    for (const pool of this.pipelined) await pool.ping().catch(() => undefined);
    await Promise.allSettled(
      Array.from({ length: WARM_CONNECTIONS }, () => this.dataSource.query('select 1')),
    );
  }

  private openReplica(url: string): ReadReplica {
    const { onReplicaChange = () => undefined, maxStandaloneAgeMs, responseTimeoutMs } = this.settings;
    const total = responseTimeoutMs ?? RESPONSE_TIMEOUT_MS;
    // Reads hardly ever wait for a connection to it: the checks open it.
    const { connectMs } = this.timeouts;
    const timeouts = { ...timeoutsWithin(total * REPLICA_SHARE), connectMs };
    const replica = openPipelinedPool(clientConfig({ ...this.settings, url }, timeouts), timeouts, 1);
    return new ReadReplica(replica, this.reads, onReplicaChange, maxStandaloneAgeMs);
  }
}

/** Whether sessions can be begun, by the last attempt of the process. */
class SessionAttempts {
  /** Why the last one failed; `undefined` after one that did not. */
  refusal: Error | undefined;

  constructor(private readonly onChange: DataSourceSettings['onSessionAttempt']) {}

  readonly record = (refusal: Error | undefined): void => {
    const hasChanged = (refusal === undefined) !== (this.refusal === undefined);
    this.refusal = refusal;
    if (hasChanged) this.onChange?.(refusal);
  };
}

function clientConfig(
  { url, applicationName = 'petstore' }: DataSourceSettings,
  timeouts: Timeouts,
): DatabaseClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: timeouts.connectMs,
    session: timeouts.ofSession,
  };
}

function openPipelinedPool(
  config: DatabaseClientConfig,
  { queryMs }: Timeouts,
  connections: number,
): PipelinedPool {
  const session = `${config.session ?? ''}${PLANNER_SETTINGS}`;
  const pipelined = { ...config, pipeline: true, query_timeout: queryMs, session };
  return new PipelinedPool({ open: () => openClient(pipelined), connections });
}
