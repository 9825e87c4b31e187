import { createHmac } from 'node:crypto';
import { WebhookSecret } from '../secret/webhook-secret.js';

/** What is signed of a request. */
export interface SignedContent {
  /** Header field `webhook-id`. */
  readonly id: string;
  /** Header field `webhook-timestamp`: of the attempt, in Unix seconds. */
  readonly timestamp: number;
  /** The body, byte for byte as it is sent. */
  readonly body: Uint8Array;
}

/**
 * Value of the header field `webhook-signature` (Standard Webhooks 1.0.0): one signature for each secret that holds,
 * so that a receiver may know the new or the old one during a rotation.
 *
 * @param secrets newest first
 */
export function signatureOf(
  { id, timestamp, body }: SignedContent,
  secrets: readonly WebhookSecret[],
): string {
  return secrets
    .map((secret) => {
      const hmac = createHmac('sha256', WebhookSecret.bytesOf(secret));
      return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
    })
    .join(' ');
}
