/** Hashes as they are read for the filter: the first {@link HASH_PREFIX_LENGTH} characters of each, one after the other. */
export type HashPrefixes = string;

/** A part of all hashes. */
export interface HashPage {
  readonly prefixes: HashPrefixes;
  /** Where the next page begins; `undefined` after the last one. */
  readonly next: string | undefined;
}

/** What was added since a mark. */
export interface HashDelta {
  readonly prefixes: HashPrefixes;
  /** What the next question goes on from. */
  readonly mark: string;
  /**
   * Whether this and what was read before is all: not when more was added than fits into one response, nor when
   * the mark is of another database or a later state than this one (a restored backup).
   */
  readonly complete: boolean;
}

/** What Nest finds the {@link ApiKeyHashSource} by. */
export const API_KEY_HASH_SOURCE = Symbol('ApiKeyHashSource');

/**
 * Reads the hashes of all secrets for the filter. Every method rejects with `KeyStoreUnavailableError` when the
 * store cannot be reached.
 */
export interface ApiKeyHashSource {
  /** The hashes behind `after`, or the first ones; in an order of the store's own, at most `most`. */
  page(after: string | undefined, most: number): Promise<HashPage>;
  /**
   * Every hash that was not visible yet when `mark` was made and is visible now, however late its transaction
   * was committed. Without a mark none: only a mark of this moment.
   */
  since(mark: string | undefined): Promise<HashDelta>;
}
