import type { Caller } from '../key/caller.js';
import type { KeyHash } from '../secrets/secret-hasher.js';

/** A usable key, found by the hash of its secret. */
export interface FoundKey {
  readonly caller: Caller;
  /** Which of the hashes asked for is stored. */
  readonly hash: KeyHash;
  /** When the key expires or this secret's overlap ends, whichever comes first; `undefined` for never. */
  readonly usableUntil: Date | undefined;
}

/** What Nest finds the {@link KeyLookup} by. */
export const KEY_LOOKUP = Symbol('KeyLookup');

/** Reads keys for the guard. */
export interface KeyLookup {
  /**
   * The key that has one of these hashes, in one indexed query. `undefined` alike for a key that does
   * not exist, is revoked or has expired: neither the time nor the response tells them apart.
   *
   * @throws KeyStoreUnavailableError
   */
  find(hashes: readonly KeyHash[]): Promise<FoundKey | undefined>;

  /**
   * Puts a hash made with the current pepper in the place of one made with an earlier pepper.
   *
   * @throws KeyStoreUnavailableError
   */
  rehash(from: KeyHash, to: KeyHash): Promise<void>;
}
