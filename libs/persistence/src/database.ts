import type {
  ApiKeyHashSource,
  ApiKeyRepository,
  KeyChangeFeed,
  KeyLookup,
  KeyUsageStore,
} from '@petstore/api-key';
import type { PetStore, UnitOfWork } from '@petstore/pet-domain';
import type { DataSource } from 'typeorm';
import { forgetKeyUse } from './api-key/forget-key-use.js';
import { PostgresApiKeyHashSource } from './api-key/postgres-api-key-hash.source.js';
import { PostgresKeyChangeFeed } from './api-key/postgres-key-change-feed.js';
import { SqlKeyLookup } from './api-key/sql-key-lookup.js';
import { SqlKeyUsageStore } from './api-key/sql-key-usage.store.js';
import { TypeOrmApiKeyRepository } from './api-key/typeorm-api-key.repository.js';
import { createDataSource, type DataSourceSettings, VARIABLE } from './data-source.js';
import { migrate, missingMigrations } from './migrate.js';
import { AddRequestsBridge } from './idempotency/add-requests.bridge.js';
import { forgetIdempotentRequests } from './idempotency/forget-idempotent-requests.js';
import { PostgresIdempotencyStore } from './idempotency/postgres-idempotency.store.js';
import { NothingReader } from './pet/pet-readers.js';
import { PING } from './pet/pet-statements.js';
import { PostgresPetStore, unavailable } from './pet/postgres-pet.store.js';
import type { Pipeline } from './pipeline/pipeline.js';
import { explainStart } from './start-error.js';
import type { Availability } from './server/availability.js';
import type { BoundedPool } from './server/bounded-pool.js';
import type { Bulkhead } from './server/bulkhead.js';
import { PostgresUnitOfWork } from './unit-of-work/postgres-unit-of-work.js';

/** How the connections stand at this moment. */
export interface PoolStanding {
  readonly total: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** What a {@link Database} works with, all of it open and its to close. */
export interface DatabaseParts {
  readonly settings: DataSourceSettings;
  readonly dataSource: DataSource;
  readonly pool: BoundedPool;
  readonly reads: Pipeline;
  readonly writes: Pipeline;
  readonly availability: Availability;
  /** Units of work; what is left of the pool is for keys and health. */
  readonly transactions: Bulkhead;
}

/** A server that does not say goodbye is not waited for any longer than this, in milliseconds. */
const GOODBYE = 500;

/**
 * The service's PostgreSQL database: the stores in it, and its life.
 *
 * Every method of the stores is answered or rejects within `answerWithin`, at once while the server is known
 * to be away; what comes back by itself is noticed within a quarter of a second. Nothing is ever sent twice.
 */
export class Database {
  readonly pets: PetStore;
  readonly unitOfWork: UnitOfWork;
  /** Keys for operators. */
  readonly apiKeys: ApiKeyRepository;
  /** Keys for the guard. */
  readonly keyLookup: KeyLookup;
  /** Hashes of keys for the guard's filter. */
  readonly keyHashes: ApiKeyHashSource;
  readonly keyUsage: KeyUsageStore;

  constructor(private readonly parts: DatabaseParts) {
    const { reads, writes, transactions } = parts;
    const { manager } = parts.dataSource;
    this.pets = new PostgresPetStore(reads, writes);
    this.unitOfWork = new PostgresUnitOfWork(parts.pool, parts.dataSource, transactions, unavailable);
    this.apiKeys = new TypeOrmApiKeyRepository(manager);
    this.keyLookup = new SqlKeyLookup(manager);
    this.keyHashes = new PostgresApiKeyHashSource(manager);
    this.keyUsage = new SqlKeyUsageStore(manager);
  }

  /**
   * Brings the schema up to date; the names of the migrations that were needed. Many may do so at once.
   *
   * @throws {DatabaseStartError} when the role may not do so, or the database is away
   */
  async migrate(): Promise<string[]> {
    const { settings } = this.parts;
    try {
      if ((await this.missingMigrations()).length === 0) return [];
      // A change of the schema may take longer than a request: it has a connection without time limits.
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

  /** Tells other processes of changes of keys, where there is no Redis to do so. For the caller to close. */
  keyChangeFeed(): KeyChangeFeed {
    return new PostgresKeyChangeFeed(this.parts.dataSource.manager, this.parts.settings.url);
  }

  /**
   * Requests that are carried out once.
   *
   * @param locationOfPet the `Location` of animals that earlier versions have added
   */
  idempotencyStore(locationOfPet: (petId: string) => string): PostgresIdempotencyStore {
    return new PostgresIdempotencyStore(this.unitOfWork, new AddRequestsBridge(locationOfPet));
  }

  /** Removes idempotent requests that are not remembered any more; how many rows there were. */
  forgetOldRequests(): Promise<number> {
    return forgetIdempotentRequests(this.parts.dataSource.manager);
  }

  /** Removes the use of keys on days more than 400 days ago; how many rows there were. */
  forgetOldKeyUse(): Promise<number> {
    return forgetKeyUse(this.parts.dataSource.manager);
  }

  /** Names of the migrations that the schema lacks; none is as it should be. Rejects when nobody answers. */
  missingMigrations(): Promise<string[]> {
    return missingMigrations(this.parts.dataSource);
  }

  /** For metrics; asks no server. */
  pool(): PoolStanding {
    const { pool, reads, writes } = this.parts;
    const own = { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waiting };
    return [reads.standing, writes.standing].reduce(
      (sum, { total, idle, waiting }) => ({
        total: sum.total + total,
        idle: sum.idle + idle,
        waiting: sum.waiting + waiting,
      }),
      own,
    );
  }

  /** Resolves when the database answers; rejects when it does not. */
  async ping(): Promise<void> {
    await this.parts.dataSource.query('select 1');
  }

  /** Resolves when a session that reads animals answers, whatever becomes of other connections and of tables. */
  async answers(): Promise<void> {
    await this.parts.reads.ask(PING, [], new NothingReader());
  }

  /** Lets running queries end, at most as long as they may take, and closes every connection. */
  async close(): Promise<void> {
    const { dataSource, pool, reads, writes, availability } = this.parts;
    await Promise.all([reads.close(), writes.close(), pool.settled()]);
    await dataSource.destroy();
    await pool.closed(GOODBYE);
    await availability.close();
  }
}
