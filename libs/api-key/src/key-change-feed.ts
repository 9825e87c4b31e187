import type { KeyId } from './key-id.js';

/** What the other processes should know at once. */
export interface KeyNews {
  /** `changed`: look the key up again. `unbanned`: an operator lifted its ban. */
  readonly kind: 'changed' | 'unbanned';
  readonly keyId: KeyId;
}

/**
 * Carries the news of a change to every process. Nothing depends on its arrival: what a process
 * remembers of a key is forgotten within seconds anyway.
 */
export interface KeyChangeFeed {
  /** Tells every process; rejects when the news could not be sent. */
  publish(news: KeyNews): Promise<void>;
  /** Calls the listener for all news from now on, until {@link KeyChangeFeed.close}. */
  subscribe(listener: (news: KeyNews) => void): Promise<void>;
  close(): Promise<void>;
}
