import type { Caller } from '../key/caller.js';
import type { KeyHash } from '../secrets/pepper.js';

/** A usable key, found by the hash of its secret. */
export interface FoundKey {
  readonly caller: Caller;
  /** When the key expires or this secret's overlap ends, whichever comes first; `undefined` for never. */
  readonly usableUntil: Date | undefined;
}

/** Port: reads keys for the guard. */
export abstract class KeyLookup {
  /**
   * The key that has this hash, in one indexed query. `undefined` alike for a key that does not exist, is revoked or has
   * expired: neither the time nor the response tells them apart.
   *
   * @throws KeyStoreUnavailableError
   */
  abstract find(hash: KeyHash): Promise<FoundKey | undefined>;
}
