import type { ApiKeyRepository } from '../administration/api-key.repository.js';
import type { KeyLookup } from '../cache/key-lookup.js';
import type { ApiKeyStore } from '../module/api-key.options.js';
import type { KeyUsageStore } from '../usage/key-usage.store.js';
import { InMemoryApiKeyRepository } from './in-memory-api-key.repository.js';
import { InMemoryKeyLookup } from './in-memory-key-lookup.js';
import { InMemoryKeyUsageStore } from './in-memory-key-usage.store.js';
import { type InMemoryBounds, KeyRecords } from './key-records.js';

const DEFAULT_BOUNDS: InMemoryBounds = { keys: 10_000, auditEntries: 100, days: 400 };

/**
 * Keys in the memory of one process, behind all ports of this library: for tests, and for an application of one
 * process whose keys may be gone after a restart. Holds hashes only, like every store, and no more than its bounds.
 */
export class InMemoryApiKeyStore implements ApiKeyStore {
  readonly lookup: KeyLookup;
  readonly usage: KeyUsageStore;
  readonly repository: ApiKeyRepository;

  /** @param now the system's clock unless given */
  constructor(bounds: Partial<InMemoryBounds> = {}, now: () => Date = () => new Date()) {
    const records = new KeyRecords({ ...DEFAULT_BOUNDS, ...bounds }, now);
    this.lookup = new InMemoryKeyLookup(records);
    this.usage = new InMemoryKeyUsageStore(records);
    this.repository = new InMemoryApiKeyRepository(records);
  }
}
