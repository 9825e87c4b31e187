import { createHmac, type KeyObject } from 'node:crypto';

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
 * Value of the header field `webhook-signature` (Standard Webhooks 1.0.0): one signature for each secret that holds,
 * so that a receiver may know the new or the old one during a rotation.
 *
 * @param keys of the secrets, newest first
 */
export function signatureOf({ id, timestamp, body }: SignedContent, keys: readonly KeyObject[]): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
