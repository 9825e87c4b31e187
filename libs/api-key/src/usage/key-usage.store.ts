import type { KeyId } from '../key/key-id.js';

/** What happened with one key on one day since the last batch. */
export interface KeyUsage {
  readonly keyId: KeyId;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
  /** `undefined` when only a ban was reported. */
  readonly lastUsedAt: Date | undefined;
  /** `undefined` when nothing was reported of a ban, `null` when one was lifted. */
  readonly bannedUntil: Date | null | undefined;
}

/** Keeps batches of use. */
export abstract class KeyUsageStore {
  /**
   * Adds to what is kept, all of it or nothing. Rejects when that failed or its result is unknown; the batch comes again,
   * and is counted again if only the response was lost.
   */
  abstract add(batch: readonly KeyUsage[]): Promise<void>;
}
