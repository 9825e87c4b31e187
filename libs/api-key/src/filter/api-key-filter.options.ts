import type { Clock } from '../clock/clock.js';

/** How often the store is read. All times in milliseconds. */
export interface ApiKeyFilterSettings {
  /** Time between the beginnings of two refreshes: 4 a second for long, however many unknown keys are presented. */
  readonly refreshGap: number;
  /**
   * Most refreshes that follow one another without that gap, after a time with fewer: keys that were issued just now
   * are used at once. None after a refresh that failed.
   */
  readonly refreshBurst: number;
  /** A refresh that nothing asks for comes after this time. */
  readonly refreshEvery: number;
  /** Everything is read anew after this time, and up to a fifth later: instances that started together do not read together. */
  readonly rebuildEvery: number;
  /** After a failed refresh everything is read anew, at most so often. */
  readonly rebuildAfterFailure: number;
  /** Hashes read at a time; 5,000 take the event loop about 2 ms. */
  readonly pageSize: number;
  /** Most requests that wait for a refresh at a time. */
  readonly mostWaiting: number;
}

export const DEFAULT_FILTER_SETTINGS: ApiKeyFilterSettings = {
  refreshGap: 250,
  refreshBurst: 40,
  refreshEvery: 5_000,
  rebuildEvery: 10 * 60_000,
  rebuildAfterFailure: 60_000,
  pageSize: 5_000,
  mostWaiting: 1_000,
};

/** What Nest finds the {@link ApiKeyFilterOptions} by. */
export const API_KEY_FILTER_OPTIONS = Symbol('ApiKeyFilterOptions');

export interface ApiKeyFilterOptions {
  readonly settings?: Partial<ApiKeyFilterSettings>;
  readonly clock?: Clock;
  /** Called with the first refresh or rebuild that fails after one that did not; both are tried again by themselves. */
  readonly onFailure?: (error: unknown) => void;
  /** Called with the first one that succeeds after that. */
  readonly onRecovery?: () => void;
}

/** For metrics. */
export interface ApiKeyFilterStats {
  /** Hashes known. */
  readonly hashes: number;
  /** Bytes that they take. */
  readonly bytes: number;
  /** Milliseconds since the beginning of the last refresh that succeeded; since the filter was made, before the first. */
  readonly ageMs: number;
  /** Refreshes and rebuilds so far. */
  readonly refreshes: number;
  readonly rebuilds: number;
  /** Requests that wait for a refresh. */
  readonly waiting: number;
}
