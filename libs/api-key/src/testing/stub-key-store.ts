import type { FoundKey, KeyLookup } from '../cache/key-lookup.js';
import { KeyId } from '../key/key-id.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import { KeySigner, type SignedKey } from '../secrets/key-signer.js';
import type { KeyHash } from '../secrets/pepper.js';

export const signer = new KeySigner('pepper');

/** A key that has been put into the store. */
export interface StoredKey extends SignedKey {
  readonly found: FoundKey;
}

/** Keys in a map: the cache is about what it remembers, not about where keys are kept. */
export class StubKeyStore implements KeyLookup {
  readonly keys = new Map<KeyHash, FoundKey>();
  lookups = 0;
  unavailable = false;
  private gate: Promise<void> = Promise.resolve();

  /** Holds all look-ups back until the returned function is called. */
  hold(): () => void {
    let open: () => void = () => undefined;
    this.gate = new Promise((resolve) => (open = resolve));
    return () => {
      open();
    };
  }

  put(usableUntil?: Date): StoredKey {
    const key = signer.issue('test');
    const found: FoundKey = {
      usableUntil,
      caller: {
        keyId: KeyId.generate(),
        name: key.text,
        plan: 'free',
        limits: { perMinute: 60, perDay: 1_000 },
        scopes: new Set(),
      },
    };
    this.keys.set(key.hash, found);
    return { ...key, found };
  }

  async find(hash: KeyHash): Promise<FoundKey | undefined> {
    this.lookups++;
    const found = this.keys.get(hash);
    await this.gate;
    if (this.unavailable) throw new KeyStoreUnavailableError('The store is unavailable.');
    return found;
  }
}
