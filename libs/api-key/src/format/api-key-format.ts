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

/** Longest key that is read, in characters; room for the signed tokens that some operators bring. */
const MAX_LENGTH = 1024;

/** RFC 9110, section 11.2. */
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*$/;

const ENTROPY = /^[A-Za-z0-9]+$/;

/** Six base62 characters of the CRC-32 over everything before them. */
function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}

function differences(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) count++;
  return count;
}

/** Whether `text` is one of our keys or was meant to be one: at most one character of the prefix is wrong. */
function looksGenerated(text: string): boolean {
  return Object.values(PREFIXES).some(
    (prefix) => text.startsWith(prefix) || (text.length === LENGTH && differences(text, prefix) === 1),
  );
}

function isGenerated(text: string): boolean {
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
 * A generated key is `pet_live_` or `pet_test_`, 32 base62 characters of entropy (190 bits) and 6
 * base62 characters of CRC-32 over what precedes: secret scanners recognise it, and a mistyped one is
 * refused without a look-up. An operator's own key may be any token68 (RFC 9110, section 11.2).
 */
export const ApiKeyFormat = {
  MAX_LENGTH,
  /** Length of a generated key, in characters. */
  LENGTH,
  /** A new key from the system's random source. */
  generate(kind: KeyKind): string {
    const body = PREFIXES[kind] + randomBase62(ENTROPY_LENGTH);
    return body + checksum(body);
  },
  /** Whether `text` can be a key at all: right characters, right size, and the right checksum where it has one. */
  isWellFormed(text: string): boolean {
    if (text.length > MAX_LENGTH || !TOKEN68.test(text)) return false;
    return !looksGenerated(text) || isGenerated(text);
  },
  /** Whether `text` has the form of a key made by {@link ApiKeyFormat.generate}, checksum included. */
  isGenerated,
  /**
   * What may be shown of a key: where it is recognised by, and its last four characters. Of a key that
   * is too short to hide anything behind them, nothing.
   */
  hintOf(text: string): KeyHint {
    if (isGenerated(text)) return { prefix: text.slice(0, PREFIX_LENGTH), lastFour: text.slice(-4) };
    return text.length < 16 ? { prefix: '', lastFour: '' } : { prefix: '', lastFour: text.slice(-4) };
  },
} as const;

/** The part of a key that may be shown and stored. */
export interface KeyHint {
  /** `pet_live_` or `pet_test_`; empty for an operator's own key. */
  readonly prefix: string;
  /** The last four characters; empty for an own key of less than 16 characters. */
  readonly lastFour: string;
}
