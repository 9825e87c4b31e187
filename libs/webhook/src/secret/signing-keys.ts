import { createSecretKey, type KeyObject } from 'node:crypto';
import type { SecretSealer } from './secret-sealer.js';
import { WebhookSecret } from './webhook-secret.js';

/** Keys that are kept; those that were used the longest ago are forgotten. */
const MOST_KEYS = 1_000;

/** The keys that deliveries are signed with: to open a sealed secret takes longer than to sign. */
export class SigningKeys {
  private readonly keys = new Map<string, KeyObject>();

  constructor(private readonly sealer: SecretSealer) {}

  /** @throws {SecretNotOpenedError} */
  of(sealed: Uint8Array): KeyObject {
    const name = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length).toString('latin1');
    const key = this.keys.get(name) ?? createSecretKey(WebhookSecret.bytesOf(this.sealer.open(sealed)));
    // The last one in the map is the one that was used last.
    this.keys.delete(name);
    this.keys.set(name, key);
    const [oldest] = this.keys.keys();
    if (this.keys.size > MOST_KEYS && oldest !== undefined) this.keys.delete(oldest);
    return key;
  }
}
