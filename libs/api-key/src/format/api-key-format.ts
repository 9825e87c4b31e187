import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.js';

/** Where a key is meant to be used: `live` in production, `test` anywhere else. */
export type KeyKind = 'live' | 'test';

const PREFIXES: Readonly<Record<KeyKind, string>> = { live: 'pet_live_', test: 'pet_test_' };
const PREFIX_LENGTH = 9;
const ENTROPY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const BODY_LENGTH = PREFIX_LENGTH + ENTROPY_LENGTH;
const LENGTH = BODY_LENGTH + CHECKSUM_LENGTH;

const ENTROPY = /^[A-Za-z0-9]+$/;

/** Six base62 characters of the CRC-32 over everything before them. */
function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}

function isWellFormed(text: string): boolean {
  return (
    text.length === LENGTH &&
    Object.values(PREFIXES).some((prefix) => text.startsWith(prefix)) &&
    ENTROPY.test(text.slice(PREFIX_LENGTH)) &&
    text.endsWith(checksum(text.slice(0, BODY_LENGTH)))
  );
}

/**
 * The text of an API key, as clients send it.
 *
 * A key is `pet_live_` or `pet_test_`, 32 base62 characters of entropy (190 bits) and 6 base62 characters of CRC-32 over
 * what precedes: secret scanners recognise it, and a mistyped one is refused without a look-up.
 */
export const ApiKeyFormat = {
  /** In characters. */
  LENGTH,
  /** A new key from the system's random source. */
  generate(kind: KeyKind): string {
    const body = PREFIXES[kind] + randomBase62(ENTROPY_LENGTH);
    return body + checksum(body);
  },
  /** Whether `text` has the form of a key, checksum included. */
  isWellFormed,
  /** What may be shown of a key. */
  hintOf(text: string): KeyHint {
    return { prefix: text.slice(0, PREFIX_LENGTH), lastFour: text.slice(-4) };
  },
} as const;

/** The part of a key that may be shown and stored. */
export interface KeyHint {
  /** `pet_live_` or `pet_test_`. */
  readonly prefix: string;
  readonly lastFour: string;
}
