import { randomBytes } from 'node:crypto';

declare const brand: unique symbol;

/**
 * What the deliveries to an endpoint are signed with: `whsec_` and the base64 of 32 random bytes (Standard Webhooks
 * 1.0.0, "Signature scheme"). Shown once; kept only sealed.
 */
export type WebhookSecret = string & { readonly [brand]: 'WebhookSecret' };

const PREFIX = 'whsec_';
const BYTES = 32;

export const WebhookSecret = {
  generate(): WebhookSecret {
    return WebhookSecret.of(randomBytes(BYTES));
  },
  /** @throws RangeError when there are not 32 bytes */
  of(bytes: Uint8Array): WebhookSecret {
    if (bytes.length !== BYTES) throw new RangeError(`A webhook secret has ${BYTES} bytes.`);
    return (PREFIX + Buffer.from(bytes).toString('base64')) as WebhookSecret;
  },
  /** The 32 bytes that the HMAC is made with. */
  bytesOf(secret: WebhookSecret): Buffer {
    return Buffer.from(secret.slice(PREFIX.length), 'base64');
  },
} as const;
