import { randomBase62 } from './base62.js';

/** Where a key is meant to be used: `live` in production, `test` anywhere else. */
export type KeyKind = 'live' | 'test';

/** The part of a key that may be shown and stored. */
export interface KeyHint {
  /** `pet_live_` or `pet_test_`. */
  readonly prefix: string;
  readonly lastFour: string;
}

const PREFIX_LENGTH = 9;
const ENTROPY_LENGTH = 32;
const MAC_LENGTH = 12;
const LENGTH = PREFIX_LENGTH + ENTROPY_LENGTH + MAC_LENGTH;

const FORM = /^pet_(?:live|test)_[A-Za-z0-9]{44}$/;

/**
 * The text of an API key, as clients send it: `pet_live_` or `pet_test_`, 32 base62 characters of entropy (190 bits), and
 * 12 base62 characters of a MAC over what precedes. {@link KeySigner} makes and checks the MAC.
 */
export const ApiKeyFormat = {
  /** Of a key, and of its MAC, in characters. */
  LENGTH,
  MAC_LENGTH,
  /** A new key without its MAC, from the system's random source. */
  generateBody(kind: KeyKind): string {
    return `pet_${kind}_${randomBase62(ENTROPY_LENGTH)}`;
  },
  /** Whether `text` has the form of a key; nothing is said about its MAC. */
  isWellFormed(text: string): boolean {
    return text.length === LENGTH && FORM.test(text);
  },
  /** What may be shown of a key. */
  hintOf(text: string): KeyHint {
    return { prefix: text.slice(0, PREFIX_LENGTH), lastFour: text.slice(-4) };
  },
} as const;
