import type { UnitOfWork } from '@petstore/pet-domain';
import type { DataSource, EntityManager } from 'typeorm';
import type { BoundedPool } from '../connection/bounded-pool.js';
import type { Bulkhead } from '../connection/bulkhead.js';
import type { CircuitBreaker } from '../connection/circuit-breaker.js';
import { explainStart } from '../connection/explain-start.js';
import type { Turns } from '../connection/turns.js';
import { PING, PingReader } from '../pipeline/ping.js';
import type { PipelineStats } from '../pipeline/pipeline-settings.js';
import type { Pipelines } from '../pipeline/pipelines.js';
import { removeOldRows } from '../retention/retention-rule.js';
import { createDataSource, type DataSourceSettings, VARIABLE } from '../schema/data-source.js';
import { migrate, missingMigrations } from '../schema/migrate.js';
import { RETENTION_RULES } from '../schema/resources.js';
import { PostgresUnitOfWork } from '../unit-of-work/postgres-unit-of-work.js';

/** Connections that are open, idle connections, and statements that wait for one. */
export type PoolStats = PipelineStats;

/** What a {@link DatabaseConnection} works with, all of it open and its to close. */
export interface DatabaseParts {
  readonly settings: DataSourceSettings;
  readonly dataSource: DataSource;
  readonly pool: BoundedPool;
  readonly pipelines: Pipelines;
  readonly breaker: CircuitBreaker;
  /** Units of work of requests; what is left of the pool is for keys and health. */
  readonly transactions: Bulkhead;
  readonly backgroundTransactions: Bulkhead;
  /** Changes of the same thing, which would wait for its lock with a connection each. */
  readonly turns: Turns;
}

/** How long the server may take to close the sessions of the pool. */
const CLOSE_TIMEOUT_MS = 500;

/**
 * The connections to the service's PostgreSQL database. Its maker closes it.
 *
 * Every query returns or rejects within the settings' `answerTimeoutMs`, at once while the server is known to be
 * unavailable; a server that is back is noticed within a quarter of a second. No query is ever sent twice.
 */
export class DatabaseConnection {
  private closing: Promise<void> | undefined;

  /** For requests. */
  readonly unitOfWork: UnitOfWork;
  /** For what no request waits for. */
  readonly backgroundWork: UnitOfWork;

  constructor(protected readonly parts: DatabaseParts) {
    const { pool, dataSource, transactions, backgroundTransactions, turns } = parts;
    this.unitOfWork = new PostgresUnitOfWork(pool, dataSource, transactions, turns);
    this.backgroundWork = new PostgresUnitOfWork(pool, dataSource, backgroundTransactions, turns);
  }

  get dataSource(): DataSource {
    return this.parts.dataSource;
  }

  get manager(): EntityManager {
    return this.parts.dataSource.manager;
  }

  get pipelines(): Pipelines {
    return this.parts.pipelines;
  }

  get turns(): Turns {
    return this.parts.turns;
  }

  /** For connections of a kind of their own. */
  get url(): string {
    return this.parts.settings.url;
  }

  /**
   * Brings the schema up to date. Many processes may do so at once.
   *
   * @returns the names of the migrations that were needed
   * @throws {DatabaseStartError} when the role may not do so, or the database is unavailable
   */
  async migrate(): Promise<string[]> {
    const { settings } = this.parts;
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
    return missingMigrations(this.parts.dataSource);
  }

  /** Removes all rows that are old enough; how many there were by the name of the rule. */
  async removeOldRows(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const rule of RETENTION_RULES) counts[rule.name] = await removeOldRows(this.manager, rule);
    return counts;
  }

  /** For metrics; asks no server. */
  poolStats(): PoolStats {
    const { pool } = this.parts;
    const { total, idle, waiting } = this.pipelines.stats;
    return {
      total: pool.totalCount + total,
      idle: pool.idleCount + idle,
      waiting: pool.waiting + waiting,
    };
  }

  /** Resolves when a connection of the pool responds. */
  async ping(): Promise<void> {
    await this.parts.dataSource.query('select 1');
  }

  /** Resolves when a reading pipeline responds, whatever becomes of other connections and of tables. */
  async responds(): Promise<void> {
    await this.pipelines.reads.ask(PING, [], new PingReader());
  }

  /** Lets running queries end, at most as long as they may take, and closes every connection. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /** Called by Nest last of all: the last writes happen in earlier hooks. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private async closeAll(): Promise<void> {
    const { dataSource, pool, pipelines, breaker } = this.parts;
    await Promise.all([pipelines.close(), pool.settled()]);
    await dataSource.destroy();
    await pool.closed(CLOSE_TIMEOUT_MS);
    await breaker.close();
  }
}
