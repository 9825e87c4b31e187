import { randomBase62 } from '../secrets/base62.js';

declare const brand: unique symbol;

/**
 * Name of a key among operators, logs and counters: `key_` and 16 base62 characters. It is no secret,
 * tells nothing about the secret, and stays the same when the secret is rotated.
 */
export type KeyId = string & { readonly [brand]: 'KeyId' };

const FORM = /^key_[0-9A-Za-z]{16}$/;

export const KeyId = {
  /** Characters of an id. */
  LENGTH: 20,
  /** A regular expression that ids match, and nothing else does. */
  PATTERN: FORM.source,
  /** An id that no other key has. */
  generate(): KeyId {
    return `key_${randomBase62(16)}` as KeyId;
  },
  /** The id that `text` spells, or `undefined`. */
  parse(text: string): KeyId | undefined {
    return FORM.test(text) ? (text as KeyId) : undefined;
  },
} as const;
