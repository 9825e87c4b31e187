import { createHmac } from 'node:crypto';

declare const brand: unique symbol;

/** HMAC-SHA-256 of a key with the pepper, base64url without padding: 43 characters. */
export type KeyHash = string & { readonly [brand]: 'KeyHash' };

/**
 * Makes the only form in which a key is kept.
 *
 * A password hash would be the wrong tool: a key has 190 bits of entropy, which nobody guesses, and every request has to
 * check one. Without the pepper nobody can tell which hash a key has.
 */
export class SecretHasher {
  /**
   * @param pepper what every new hash is made with
   * @param previousPeppers what older hashes may have been made with; accepted for reading only
   */
  constructor(
    private readonly pepper: string,
    private readonly previousPeppers: readonly string[] = [],
  ) {}

  /** The hash that is stored. */
  hash(key: string): KeyHash {
    return hmac(this.pepper, key);
  }

  /** Every hash under which the key may be stored, the current one first. */
  candidates(key: string): readonly [KeyHash, ...KeyHash[]] {
    return [this.hash(key), ...this.previousPeppers.map((pepper) => hmac(pepper, key))];
  }
}

function hmac(pepper: string, key: string): KeyHash {
  return createHmac('sha256', pepper).update(key).digest('base64url') as KeyHash;
}
