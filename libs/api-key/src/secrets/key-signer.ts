import { ApiKeyFormat, type KeyHint, type KeyKind } from './api-key-format.js';
import { type KeyHash, Pepper } from './pepper.js';

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
  issue(kind: KeyKind): SignedKey {
    const body = ApiKeyFormat.generateBody(kind);
    const text = body + this.current.macOf(body);
    const { id: pepperId } = this.current;
    return { text, hash: this.current.hash(text), pepperId, hint: ApiKeyFormat.hintOf(text) };
  }

  /** The hash under which a key of an accepted pepper is stored; `undefined` for any other text. */
  verify(text: string): KeyHash | undefined {
    if (!ApiKeyFormat.isWellFormed(text)) return undefined;
    const { body, mac } = ApiKeyFormat.split(text);
    return this.accepted.find((pepper) => pepper.hasSigned(body, mac))?.hash(text);
  }

  /** Which pepper a secret was issued under, by the id that is stored with it. */
  statusOf(pepperId: string): PepperStatus {
    if (pepperId === this.current.id) return 'current';
    return this.accepted.some(({ id }) => id === pepperId) ? 'previous' : 'unknown';
  }
}
