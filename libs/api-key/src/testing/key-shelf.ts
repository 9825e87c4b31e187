import { KeyId } from '../key-id.js';
import type { FoundKey, KeyLookup } from '../key-lookup.js';
import { KeyStoreUnavailable } from '../key-store-unavailable.js';
import { Scope } from '../scope.js';
import { type KeyHash, SecretHasher } from '../secret-hasher.js';

export const hasher = new SecretHasher('pepper');

/** Keys in a map: the ring is about what it remembers, not about where keys are kept. */
export class KeyShelf implements KeyLookup {
  readonly keys = new Map<string, FoundKey>();
  readonly rehashed: string[] = [];
  lookups = 0;
  away = false;
  /** Set to hold all look-ups back until it resolves. */
  gate: Promise<void> = Promise.resolve();

  put(
    key: string,
    usableUntil?: Date,
    hash = hasher.hash(key),
    scopes: readonly Scope[] = Scope.ALL,
  ): FoundKey {
    const found: FoundKey = {
      hash,
      usableUntil,
      caller: {
        keyId: KeyId.generate(),
        name: key,
        plan: 'free',
        limits: { perMinute: 60, perDay: 1_000 },
        scopes: new Set(scopes),
      },
    };
    this.keys.set(hash, found);
    return found;
  }

  async find(hashes: readonly KeyHash[]): Promise<FoundKey | undefined> {
    this.lookups++;
    const found = hashes.map((hash) => this.keys.get(hash)).find((one) => one !== undefined);
    await this.gate;
    if (this.away) throw new KeyStoreUnavailable('The store is away.');
    return found;
  }

  rehash(from: KeyHash, to: KeyHash): Promise<void> {
    this.rehashed.push(`${from} ${to}`);
    return Promise.resolve();
  }
}
