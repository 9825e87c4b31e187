import type { SigningKeys } from '../secret/signing-keys.js';
import type { WebhookMessage } from '../sending/webhook-sender.js';
import type { ClaimedDelivery } from './delivery-queue.js';
import { signatureOf } from './signature.js';

/**
 * The request of an attempt that begins now (Standard Webhooks 1.0.0).
 *
 * @param now in milliseconds since 1970
 * @throws {SecretNotOpenedError}
 */
export function messageOf(delivery: ClaimedDelivery, keys: SigningKeys, now: number): WebhookMessage {
  const { url, messageId: id, body, sealedSecrets } = delivery;
  const timestamp = Math.floor(now / 1_000);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Petstore-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(
        { id, timestamp, body },
        sealedSecrets.map((sealed) => keys.of(sealed)),
      ),
    },
  };
}
