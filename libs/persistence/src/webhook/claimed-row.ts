import { type ClaimedDelivery, isExhausted, type DeliveryId, type WebhookId } from '@petstore/webhook';
import { isTrue, type TextRow } from '../unit-of-work/statement-batch.js';

/** What is to become of a delivery that was claimed. */
export type Verdict =
  | 'attempt'
  /** Neither this one nor any other of its endpoint is sent: the endpoint is disabled or removed. */
  | 'endpoint_disabled'
  /** Nor of an endpoint whose key was revoked, has expired or may have no endpoints any more. */
  | 'key_invalid'
  /** The key may not read this event any more. */
  | 'not_allowed'
  /** The event is no longer kept, or all attempts have been made. */
  | 'impossible';

export interface ClaimedRow {
  readonly delivery: ClaimedDelivery;
  readonly verdict: Verdict;
}

/** Reads a row of the statement `CLAIM`. */
export function toClaimedRow(row: TextRow): ClaimedRow {
  const [
    id,
    webhookId,
    position,
    attempts,
    attemptedBefore,
    url,
    isEnabled,
    mayReceive,
    sees,
    body,
    secrets,
  ] = row;
  const isTest = position === null;
  const delivery: ClaimedDelivery = {
    id: id as DeliveryId,
    webhookId: webhookId as WebhookId,
    messageId: isTest ? `evt_test_${id ?? ''}` : `evt_${position ?? ''}`,
    isTest,
    attempt: Number(attempts),
    attemptedBefore: attemptedBefore ?? undefined,
    url: url ?? '',
    sealedSecrets: (secrets ?? '').split(' ').map((text) => Buffer.from(text, 'hex')),
    body: body ?? '',
  };
  const verdict = (): Verdict => {
    if (!isTrue(isEnabled)) return 'endpoint_disabled';
    if (!isTrue(mayReceive)) return 'key_invalid';
    if (body === null || isExhausted(delivery)) return 'impossible';
    return isTrue(sees) ? 'attempt' : 'not_allowed';
  };
  return { delivery, verdict: verdict() };
}
