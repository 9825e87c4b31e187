import type { ApiKeyRepository, KeyChangeFeed, KeyLookup, KeyUsageStore } from '@petstore/api-key';
import type { PetStore } from '@petstore/pet-domain';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresKeyChangeFeed } from './api-key/postgres-key-change-feed.js';
import { SqlKeyLookup } from './api-key/sql-key-lookup.js';
import { SqlKeyUsageStore } from './api-key/sql-key-usage.store.js';
import { TypeOrmApiKeyRepository } from './api-key/typeorm-api-key.repository.js';
import { checkServer } from './check-server.js';
import { createDataSource, type DataSourceSettings } from './data-source.js';
import { migrate } from './migrate.js';
import { MIGRATIONS } from './migrations.js';
import { forgetAddRequests } from './pet/add-once.js';
import { TypeOrmPetStore } from './pet/typeorm-pet.store.js';

/** How the pool of connections stands at this moment. */
export interface PoolStanding {
  readonly total: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** The service's PostgreSQL database: the stores in it, and its life. */
export class Database {
  readonly pets: PetStore;
  /** Keys for operators. */
  readonly apiKeys: ApiKeyRepository;
  /** Keys for the guard. */
  readonly keyLookup: KeyLookup;
  readonly keyUsage: KeyUsageStore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly url: string,
  ) {
    this.pets = new TypeOrmPetStore(dataSource.manager);
    this.apiKeys = new TypeOrmApiKeyRepository(dataSource.manager);
    this.keyLookup = new SqlKeyLookup(dataSource.manager);
    this.keyUsage = new SqlKeyUsageStore(dataSource.manager);
  }

  /** Brings the schema up to date; the names of the migrations that were needed. Many may do so at once. */
  migrate(): Promise<string[]> {
    return migrate(this.dataSource);
  }

  /** Tells other processes of changes of keys, where there is no Redis to do so. For the caller to close. */
  keyChangeFeed(): KeyChangeFeed {
    return new PostgresKeyChangeFeed(this.dataSource.manager, this.url);
  }

  /** Removes requests to add that are forgotten anyway; how many there were. */
  forgetOldRequests(): Promise<number> {
    return forgetAddRequests(this.dataSource.manager);
  }

  /** Names of the migrations that the schema lacks; none is as it should be. Rejects when nobody answers. */
  async missingMigrations(): Promise<string[]> {
    const applied = await this.dataSource.query<{ name: string }[]>('select name from schema_migrations');
    const names = new Set(applied.map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !names.has(name));
  }

  /** For metrics; asks no server. */
  pool(): PoolStanding {
    const { master } = this.dataSource.driver as unknown as { readonly master: Pool };
    return { total: master.totalCount, idle: master.idleCount, waiting: master.waitingCount };
  }

  /** Resolves when the database answers; rejects when it does not. */
  async ping(): Promise<void> {
    await this.dataSource.query('select 1');
  }

  /** Lets running queries end and closes every connection. */
  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}

/**
 * Connects to the database and looks whether it is one that the service can work with.
 *
 * @throws {UnsuitableDatabase} when it is too old or does not keep its text in UTF-8.
 */
export async function openDatabase(settings: DataSourceSettings): Promise<Database> {
  const dataSource = await createDataSource(settings).initialize();
  try {
    await checkServer(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return new Database(dataSource, settings.url);
}
