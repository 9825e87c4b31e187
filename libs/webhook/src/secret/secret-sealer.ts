import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { WebhookSecret } from './webhook-secret.js';

/** A sealed secret cannot be opened. The message says why and never holds any part of it. */
export class SecretNotOpenedError extends Error {
  override readonly name = 'SecretNotOpenedError';
}

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const FINGERPRINT_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
/** Version, then which pepper: readable without any, and authenticated. */
const HEADER_BYTES = 1 + FINGERPRINT_BYTES;
const SEALED_BYTES = HEADER_BYTES + NONCE_BYTES + SECRET_BYTES + TAG_BYTES;

interface SealingKey {
  readonly key: Buffer;
  readonly fingerprint: Buffer;
}

/**
 * Keeps webhook secrets unreadable in the database: AES-256-GCM under a key that HKDF-SHA256 (RFC 5869) derives from
 * the pepper. A sealed secret says which pepper it was sealed under, so that earlier ones still open it.
 */
export class SecretSealer {
  private readonly current: SealingKey;
  private readonly previous: readonly SealingKey[];

  /**
   * @param pepper what secrets are sealed under
   * @param previousPeppers what earlier ones may have been sealed under
   */
  constructor(pepper: string, previousPeppers: readonly string[] = []) {
    this.current = deriveKey(pepper);
    this.previous = previousPeppers.map(deriveKey);
  }

  seal(secret: WebhookSecret): Buffer {
    const { key, fingerprint } = this.current;
    const header = Buffer.concat([Buffer.of(VERSION), fingerprint]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(header);
    const sealed = [cipher.update(WebhookSecret.bytesOf(secret)), cipher.final()];
    return Buffer.concat([header, nonce, ...sealed, cipher.getAuthTag()]);
  }

  /** @throws {SecretNotOpenedError} when the pepper is none of the known ones, or the bytes have been changed */
  open(sealed: Uint8Array): WebhookSecret {
    if (sealed.length !== SEALED_BYTES || sealed[0] !== VERSION)
      throw new SecretNotOpenedError('The webhook secret is not in a form that this version knows.');
    const bytes = Buffer.from(sealed);
    const header = bytes.subarray(0, HEADER_BYTES);
    const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const content = bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
    const { key } = this.keyOf(header.subarray(1));
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(header)
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return WebhookSecret.of(Buffer.concat([decipher.update(content), decipher.final()]));
    } catch {
      throw new SecretNotOpenedError('The webhook secret has been changed since it was sealed.');
    }
  }

  private keyOf(fingerprint: Buffer): SealingKey {
    const found = [this.current, ...this.previous].find((key) => key.fingerprint.equals(fingerprint));
    if (found !== undefined) return found;
    throw new SecretNotOpenedError(
      'The webhook secret was sealed under a pepper that is not known: is an earlier one missing in API_KEY_PEPPER_PREVIOUS?',
    );
  }
}

function deriveKey(pepper: string): SealingKey {
  const derive = (info: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', pepper, '', info, bytes));
  return {
    key: derive('webhook secrets', 32),
    fingerprint: derive('webhook secrets fingerprint', FINGERPRINT_BYTES),
  };
}
