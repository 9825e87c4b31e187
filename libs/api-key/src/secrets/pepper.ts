import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ApiKeyFormat } from '../format/api-key-format.js';
import { toBase62 } from '../format/base62.js';
import { ShortHmac } from './short-hmac.js';

declare const brand: unique symbol;

/** HMAC-SHA-256 of a key with the pepper, base64url without padding: 43 characters. */
export type KeyHash = string & { readonly [brand]: 'KeyHash' };

/** Half a MAC: six characters of 48 bits of the digest, so that every character is practically equally likely. */
const HALF = ApiKeyFormat.MAC_LENGTH / 2;
const HALF_RANGE = 62 ** HALF;
const ID_BYTES = 8;

/** One pepper, with what is derived from it: HKDF-SHA256 (RFC 5869) gives the MACs a secret of their own. */
export class Pepper {
  /** Names the pepper without telling anything about it; stored with every hash. */
  readonly id: string;
  private readonly mac: ShortHmac;
  private readonly hashSecret: KeyObject;

  constructor(pepper: string) {
    const derive = (info: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', pepper, '', info, bytes));
    this.id = derive('api key pepper id', ID_BYTES).toString('base64url');
    this.mac = new ShortHmac(derive('api key mac', 32), ApiKeyFormat.BODY_LENGTH);
    this.hashSecret = createSecretKey(Buffer.from(pepper));
  }

  /** The MAC that a key of this pepper ends with: 71 bits of HMAC-SHA-256. */
  macOf(body: string): string {
    const hex = this.mac.hexOf(body);
    return halfOf(hex.slice(0, 12)) + halfOf(hex.slice(12, 24));
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

function halfOf(hex: string): string {
  return toBase62(Number.parseInt(hex, 16) % HALF_RANGE, HALF);
}
