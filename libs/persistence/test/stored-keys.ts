import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import {
  ApiKeyAdministration,
  type FoundKey,
  type IssuedKey,
  type KeyId,
  type KeyHash,
  KeySigner,
} from '@petstore/api-key';
import type { TestPostgres } from '@petstore/test-servers';
import type { EntityManager } from 'typeorm';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';
import { Stores } from './stores.js';

export const HOUR = 60 * 60 * 1000;
export const signer = new KeySigner('pepper of the tests');
/** After a change of the pepper. */
export const nextSigner = new KeySigner('the next pepper', ['pepper of the tests']);

/** The hash under which a key is stored. */
export function hashOf(secret: string, by = signer): KeyHash {
  const hash = by.verify(secret);
  if (hash === undefined) throw new Error('This is no key of the pepper.');
  return hash;
}

/** The keys of a migrated database, one for all tests of a file, with all that works on them. */
export class StoredKeys {
  server!: TestPostgres;
  stores!: Stores;
  administration!: ApiKeyAdministration;
  /** What time it is for the administration: the moment at which the test began, unless it is set. */
  now = new Date();

  constructor() {
    beforeAll(async () => {
      this.server = await startMigratedServer();
      this.stores = await Stores.open({ url: this.server.url });
      this.administration = new ApiKeyAdministration({
        repository: this.stores.apiKeys,
        signer,
        scopes: SCOPES,
        kind: 'test',
        now: () => this.now,
      });
    });
    beforeEach(() => {
      this.now = new Date();
    });
    afterAll(async () => {
      await this.stores.close();
      await this.server.stop();
    });
  }

  get manager(): EntityManager {
    return this.stores.database.manager;
  }

  readonly find = (secret: string, by = signer): Promise<FoundKey | undefined> =>
    this.stores.keyLookup.find(hashOf(secret, by));

  /** What was done with a key. */
  readonly audit = async (id: KeyId): Promise<string[]> =>
    (await this.administration.show(id)).audit.map(({ action }) => action);

  readonly create = (name = 'shop', expiresAt?: Date): Promise<IssuedKey> =>
    this.administration.create({ name, plan: 'free', expiresAt }, 'anna');
}
