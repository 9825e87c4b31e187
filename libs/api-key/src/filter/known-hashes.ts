import type { KeyHash } from '../secrets/secret-hasher.js';

/** What the cache asks before a key is looked up: could this be a key at all? */
export interface KnownHashes {
  /** Changes whenever a hash was added. */
  readonly version: number;
  /** Whether one of the hashes is known. */
  has(hashes: readonly KeyHash[]): boolean;
  /**
   * Waits for a refresh that began after this call; what it did not find was no key at the time of the call.
   * @param client an eighth of those that wait may be of one client
   * @throws KeyStoreUnavailableError when the store cannot be read, or too many wait; TooManyUnknownKeysError when too
   *   many of this client do
   */
  wait(client?: string): Promise<void>;
  /** Reads what was added, soon and once for all who ask meanwhile. */
  refresh(): Promise<void>;
}
