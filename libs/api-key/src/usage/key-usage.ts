import type { KeyId } from '../key/key-id.js';

/** A day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The day in UTC: `YYYY-MM-DD`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** How often a key was used on one day (UTC). */
export interface KeyDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Requests that came with the key, refused ones included. */
  readonly requests: number;
  /** Of these, how many the limiter refused (429). */
  readonly refused: number;
}

/** What happened with one key on one day since the last batch. */
export interface KeyUsage extends KeyDay {
  readonly keyId: KeyId;
  /** `undefined` when only a ban was reported. */
  readonly lastUsedAt: Date | undefined;
  /** The end of the latest ban; `undefined` when none was reported. */
  readonly bannedUntil: Date | undefined;
}

/** Keeps batches of use. */
export abstract class KeyUsageStore {
  /**
   * Adds to what is kept, all of it or nothing. Rejects when that failed or its result is unknown; the batch comes again,
   * and is counted again if only the response was lost.
   */
  abstract add(batch: readonly KeyUsage[]): Promise<void>;
}
