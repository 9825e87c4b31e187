import type { KnownHashes } from '../filter/known-hashes.js';
import { HASH_PREFIX_LENGTH } from '../filter/api-key-hash-set.js';
import type { ApiKeyHashSource, HashDelta, HashPage } from '../filter/api-key-hash.source.js';
import { KeyId } from '../key/key-id.js';
import type { FoundKey, KeyLookup } from '../cache/key-lookup.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import type { Scope } from '../scopes/scope.js';
import { defineScopes } from '../scopes/scope-registry.js';
import { type KeyHash, SecretHasher } from '../secrets/secret-hasher.js';

export const scopes = defineScopes({
  'pets:read': { grants: 'lists and fetches', byDefault: true },
  'pets:write': { grants: 'adds', byDefault: true },
});

export const hasher = new SecretHasher('pepper');

/** A filter that lets every key through to the look-up. */
export const EVERY_HASH: KnownHashes = {
  version: 0,
  has: () => true,
  wait: () => Promise.resolve(),
  refresh: () => Promise.resolve(),
};

/** Keys in a map: the cache is about what it remembers, not about where keys are kept. */
export class StubKeyStore implements KeyLookup, ApiKeyHashSource {
  readonly keys = new Map<string, FoundKey>();
  readonly rehashed: string[] = [];
  /** In the order in which they were put. */
  readonly hashes: KeyHash[] = [];
  lookups = 0;
  /** Questions of the filter. */
  reads = 0;
  unavailable = false;
  /** Set to hold all look-ups back until it resolves. */
  gate: Promise<void> = Promise.resolve();

  put(
    key: string,
    usableUntil?: Date,
    hash = hasher.hash(key),
    granted: readonly string[] = scopes.all,
  ): FoundKey {
    const found: FoundKey = {
      hash,
      usableUntil,
      caller: {
        keyId: KeyId.generate(),
        name: key,
        plan: 'free',
        limits: { perMinute: 60, perDay: 1_000 },
        scopes: new Set(granted as readonly Scope[]),
      },
    };
    this.keys.set(hash, found);
    this.hashes.push(hash);
    return found;
  }

  async find(hashes: readonly KeyHash[]): Promise<FoundKey | undefined> {
    this.lookups++;
    const found = hashes.map((hash) => this.keys.get(hash)).find((one) => one !== undefined);
    await this.gate;
    if (this.unavailable) throw new KeyStoreUnavailableError('The store is unavailable.');
    return found;
  }

  rehash(from: KeyHash, to: KeyHash): Promise<void> {
    this.rehashed.push(`${from} ${to}`);
    return Promise.resolve();
  }

  page(after: string | undefined, most: number): Promise<HashPage> {
    const begin = Number(after ?? 0);
    const end = begin + most;
    return this.read(() => ({
      prefixes: prefixesOf(this.hashes.slice(begin, end)),
      next: end < this.hashes.length ? String(end) : undefined,
    }));
  }

  since(mark: string | undefined): Promise<HashDelta> {
    return this.read(() => ({
      prefixes: mark === undefined ? '' : prefixesOf(this.hashes.slice(Number(mark))),
      mark: String(this.hashes.length),
      complete: true,
    }));
  }

  /** The result is what there is when the query arrives. */
  private async read<Answer>(answer: () => Answer): Promise<Answer> {
    this.reads++;
    const found = answer();
    await this.gate;
    if (this.unavailable) throw new KeyStoreUnavailableError('The store is unavailable.');
    return found;
  }
}

function prefixesOf(hashes: readonly KeyHash[]): string {
  return hashes.map((hash) => hash.slice(0, HASH_PREFIX_LENGTH)).join('');
}
