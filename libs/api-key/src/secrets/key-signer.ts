import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomBase62, toBase62 } from './base62.js';

/** Where a key is meant to be used: `live` in production, `test` anywhere else. */
export type KeyMode = 'live' | 'test';

/** Who may see a key: only its owner, or everybody who reads a page that it stands in. */
export type KeyKind = 'secret' | 'publishable';

/** The part of a key that may be shown and stored. */
export interface KeyHint {
  /** `pet_live_` or `pet_test_`; of a publishable key `pet_pub_live_` or `pet_pub_test_`. */
  readonly prefix: string;
  readonly lastFour: string;
}

// The text of a key, as clients send it: a prefix, base62 characters of entropy (190 bits), and those of a MAC over what
// precedes.
const ENTROPY_LENGTH = 32;
const MAC_LENGTH = 12;
const PUBLISHABLE = 'pet_pub_';
const FORM = new RegExp(`^pet_(?:pub_)?(?:live|test)_[A-Za-z0-9]{${ENTROPY_LENGTH + MAC_LENGTH}}$`);
/** Of a publishable key, in characters: the longest text that is one. */
export const MAX_KEY_LENGTH = `${PUBLISHABLE}live_`.length + ENTROPY_LENGTH + MAC_LENGTH;

/** The kind that the prefix of a key says, in any case and whatever follows: also of a mistyped one. */
export function kindOfKey(text: string): KeyKind {
  return text.slice(0, PUBLISHABLE.length).toLowerCase() === PUBLISHABLE ? 'publishable' : 'secret';
}

declare const brand: unique symbol;

/** HMAC-SHA-256 of a key with the pepper, base64url without padding: 43 characters. */
export type KeyHash = string & { readonly [brand]: 'KeyHash' };

/**
 * Which pepper a stored secret was issued under: the one in force, one that is still accepted, or one that is not
 * configured, whose keys are refused.
 */
export type PepperStatus = 'current' | 'previous' | 'unknown';

/** A new key, with what is stored of it. */
export interface SignedKey {
  /** The key itself: shown once, stored nowhere. */
  readonly text: string;
  readonly hash: KeyHash;
  /** Names the pepper of the MAC and the hash. */
  readonly pepperId: string;
  readonly hint: KeyHint;
}

/**
 * Makes keys and recognizes those that were made with the server's pepper, by arithmetic alone: a made-up or mistyped
 * key has no valid MAC.
 *
 * Hashes are plain HMACs. A password hash would be the wrong tool: a key has 190 bits of entropy, which are not guessed,
 * and every look-up has to make one.
 */
export class KeySigner {
  private readonly current: Pepper;
  private readonly accepted: readonly Pepper[];

  /**
   * @param pepper what new keys are signed and hashed with
   * @param previousPeppers what keys that are still accepted may have been signed and hashed with
   */
  constructor(pepper: string, previousPeppers: readonly string[] = []) {
    this.current = new Pepper(pepper);
    this.accepted = [this.current, ...previousPeppers.map((one) => new Pepper(one))];
  }

  /** A new key under the current pepper. */
  issue(mode: KeyMode, kind: KeyKind = 'secret'): SignedKey {
    const prefix = `${kind === 'publishable' ? PUBLISHABLE : 'pet_'}${mode}_`;
    const body = prefix + randomBase62(ENTROPY_LENGTH);
    const text = body + this.current.macOf(body);
    const { id: pepperId } = this.current;
    const hint = { prefix, lastFour: text.slice(-4) };
    return { text, hash: this.current.hash(text), pepperId, hint };
  }

  /** The hash under which a key of an accepted pepper is stored; `undefined` for any other text. */
  verify(text: string): KeyHash | undefined {
    // Also keeps text of another length in bytes from the comparison.
    if (!FORM.test(text)) return undefined;
    return this.accepted.find((pepper) => pepper.hasSigned(text))?.hash(text);
  }

  /** Of all accepted peppers. */
  get pepperIds(): readonly string[] {
    return this.accepted.map(({ id }) => id);
  }

  /** Which pepper a secret was issued under, by the id that is stored with it. */
  statusOf(pepperId: string): PepperStatus {
    if (pepperId === this.current.id) return 'current';
    return this.accepted.some(({ id }) => id === pepperId) ? 'previous' : 'unknown';
  }
}

/** Half a MAC: six characters of 48 bits of the digest, so that every character is practically equally likely. */
const HALF = MAC_LENGTH / 2;
const HALF_RANGE = 62 ** HALF;
const HALF_BYTES = 6;

/** One pepper, with what is derived from it: HKDF-SHA256 (RFC 5869) gives the MACs a secret of their own. */
class Pepper {
  /** Names the pepper without telling anything about it; stored with every hash. */
  readonly id: string;
  private readonly macSecret: KeyObject;
  private readonly hashSecret: KeyObject;

  constructor(pepper: string) {
    const derive = (info: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', pepper, '', info, bytes));
    this.id = derive('api key pepper id', 8).toString('base64url');
    this.macSecret = createSecretKey(derive('api key mac', 32));
    this.hashSecret = createSecretKey(Buffer.from(pepper));
  }

  /** The MAC that a key of this pepper ends with: 71 bits of HMAC-SHA-256. */
  macOf(body: string): string {
    const digest = createHmac('sha256', this.macSecret).update(body).digest();
    const halfAt = (offset: number): string =>
      toBase62(digest.readUIntBE(offset, HALF_BYTES) % HALF_RANGE, HALF);
    return halfAt(0) + halfAt(HALF_BYTES);
  }

  /** Whether a well-formed key was issued under this pepper, in constant time. */
  hasSigned(key: string): boolean {
    const [body, mac] = [key.slice(0, -MAC_LENGTH), key.slice(-MAC_LENGTH)];
    return timingSafeEqual(Buffer.from(this.macOf(body)), Buffer.from(mac));
  }

  /** The only form in which the key is stored. */
  hash(key: string): KeyHash {
    return createHmac('sha256', this.hashSecret).update(key).digest('base64url') as KeyHash;
  }
}
