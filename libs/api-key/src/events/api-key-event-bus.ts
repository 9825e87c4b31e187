import type { KeyNews } from './api-key-event.js';

/**
 * Carries the news of a change to every process. Nothing depends on its arrival: what a process
 * remembers of a key is forgotten within seconds anyway.
 */
export interface KeyChangeFeed {
  /** Tells every process; rejects when the news could not be sent. */
  publish(news: KeyNews): Promise<void>;
  /**
   * Calls the listener for all news from now on, until {@link KeyChangeFeed.close}. Never rejects: a server
   * that is away is connected to as soon as it is back.
   */
  subscribe(listener: (news: KeyNews) => void): Promise<void>;
  close(): Promise<void>;
}
