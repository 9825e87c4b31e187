import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { ApiKeyAdministration, type IssuedKey, SecretHasher } from '@petstore/api-key';
import type { TestPostgres } from '@petstore/test-servers';
import type { DataSource } from 'typeorm';
import { PostgresApiKeyLookup } from '../src/api-key/postgres-api-key-lookup.js';
import { PostgresApiKeyRepository } from '../src/api-key/postgres-api-key.repository.js';
import { PostgresKeyUsageStore } from '../src/api-key/postgres-key-usage.store.js';
import { createDataSource } from '../src/schema/data-source.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';

export const HOUR = 60 * 60 * 1000;
export const hasher = new SecretHasher('pepper of the tests');

/** The keys of a migrated database, one for all tests of a file, with all that works on them. */
export class StoredKeys {
  dataSource!: DataSource;
  repository!: PostgresApiKeyRepository;
  lookup!: PostgresApiKeyLookup;
  usage!: PostgresKeyUsageStore;
  administration!: ApiKeyAdministration;
  /** What time it is for the administration: the moment at which the test began, unless it is set. */
  now = new Date();
  private server!: TestPostgres;

  constructor() {
    beforeAll(() => this.open());
    beforeEach(() => {
      this.now = new Date();
    });
    afterAll(async () => {
      await this.dataSource.destroy();
      await this.server.stop();
    });
  }

  readonly find = (secret: string): ReturnType<PostgresApiKeyLookup['find']> =>
    this.lookup.find(hasher.candidates(secret));

  readonly create = (name = 'shop'): Promise<IssuedKey> =>
    this.administration.create({ name, plan: 'free' }, 'anna');

  private async open(): Promise<void> {
    this.server = await startMigratedServer();
    this.dataSource = await createDataSource({ url: this.server.url }).initialize();
    this.repository = new PostgresApiKeyRepository(this.dataSource.manager);
    this.lookup = new PostgresApiKeyLookup(this.dataSource.manager);
    this.usage = new PostgresKeyUsageStore(this.dataSource.manager);
    this.administration = new ApiKeyAdministration({
      repository: this.repository,
      hasher,
      scopes: SCOPES,
      kind: 'test',
      now: () => this.now,
    });
  }
}
