import { createHmac } from 'node:crypto';
import { WebhookSecret } from '../secret/webhook-secret.js';

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
