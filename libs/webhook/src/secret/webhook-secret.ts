import { createHmac, randomBytes } from 'node:crypto';
import { type Branded, text } from '@petstore/pet-domain';

/**
 * What the deliveries to an endpoint are signed with: `whsec_` and the base64 of 32 random bytes (Standard Webhooks
 * 1.0.0, "Signature scheme"). Shown once; kept only sealed.
 */
export type WebhookSecret = Branded<string, 'WebhookSecret'>;

const PREFIX = 'whsec_';
const BYTES = 32;
const PATTERN = '^whsec_[A-Za-z0-9+/]{43}=$';
const LENGTH = 50;

export const WebhookSecret = {
  TEXT: text<WebhookSecret>({
    description: 'a secret',
    parse: (sent) => (new RegExp(PATTERN).test(sent) ? (sent as WebhookSecret) : undefined),
    schema: { minLength: LENGTH, maxLength: LENGTH, pattern: PATTERN },
  }),
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

/** What is signed of a request. */
export interface SignedContent {
  /** Header field `webhook-id`. */
  readonly id: string;
  /** Header field `webhook-timestamp`: of the attempt, in Unix seconds. */
  readonly timestamp: number;
  /** The body as it is sent, in UTF-8. */
  readonly body: string;
}

/**
 * Header fields of a request (Standard Webhooks 1.0.0), with one signature for each secret that holds, so that a
 * receiver may know the new or the old one during a rotation.
 *
 * @param secrets newest first
 */
export function signedHeaders(
  content: SignedContent,
  secrets: readonly WebhookSecret[],
): Record<string, string> {
  const { id, timestamp, body } = content;
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', WebhookSecret.bytesOf(secret)).update(signed);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Petstore-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
