import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ApiKeyFormat } from './api-key-format.js';
import { toBase62 } from './base62.js';

declare const brand: unique symbol;

/** HMAC-SHA-256 of a key with the pepper, base64url without padding: 43 characters. */
export type KeyHash = string & { readonly [brand]: 'KeyHash' };

/** Half a MAC: six characters of 48 bits of the digest, so that every character is practically equally likely. */
const HALF = ApiKeyFormat.MAC_LENGTH / 2;
const HALF_RANGE = 62 ** HALF;
const HALF_BYTES = 6;

/** One pepper, with what is derived from it: HKDF-SHA256 (RFC 5869) gives the MACs a secret of their own. */
export class Pepper {
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

  /** Whether the key was issued under this pepper, in constant time. */
  hasSigned(body: string, mac: string): boolean {
    return timingSafeEqual(Buffer.from(this.macOf(body)), Buffer.from(mac));
  }

  /** The only form in which the key is stored. */
  hash(key: string): KeyHash {
    return createHmac('sha256', this.hashSecret).update(key).digest('base64url') as KeyHash;
  }
}
