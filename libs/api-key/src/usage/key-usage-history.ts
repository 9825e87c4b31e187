import type { KeyId } from '../key/key-id.js';

/** How often a key was used on one day (UTC). */
export interface KeyDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Requests that came with the key, refused ones included. */
  readonly requests: number;
  /** Of these, how many the limiter refused (429). */
  readonly refused: number;
}

/** How a key was used of late, for its owner. */
export interface KeyHistory {
  /** When the key expires: RFC 3339, UTC, milliseconds. `undefined` for never. */
  readonly expiresAt: string | undefined;
  /** Those of the last {@link HISTORY_DAYS} days (UTC) on which the key was used, newest first. */
  readonly days: readonly KeyDay[];
}

/** Days that an owner sees, today included. */
export const HISTORY_DAYS = 30;

/** Reads what the recorder has written: as far behind as its batches are apart. */
export abstract class KeyUsageHistory {
  /** Rejects with an error that marks the store as unavailable when it cannot be reached. */
  abstract of(keyId: KeyId): Promise<KeyHistory>;
}
