import { type ClaimedDelivery, type DeliveryId, isExhausted, type WebhookId } from '@petstore/webhook';

/** A row of the statement `CLAIM`. */
export interface ClaimedRow {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly position: string | null;
  readonly attempts: number;
  readonly attemptedBefore: string | null;
  readonly url: string | null;
  readonly isEnabled: boolean;
  readonly mayReceive: boolean;
  readonly sees: boolean;
  readonly body: string | null;
  readonly secrets: readonly Buffer[] | null;
  readonly chosen: number;
}

/** What is to become of a delivery that was claimed. */
export type ClaimVerdict =
  | 'attempt'
  /** Neither this one nor any other of its endpoint is sent: the endpoint is disabled or removed. */
  | 'endpoint_disabled'
  /** Nor of an endpoint whose key was revoked, has expired or may have no endpoints any more. */
  | 'key_invalid'
  /** The key may not read this event any more. */
  | 'not_allowed'
  /** The event is no longer kept, or all attempts have been made. */
  | 'impossible';

export function toDelivery(row: ClaimedRow): ClaimedDelivery {
  const { id, position, attempts, attemptedBefore, url, body, secrets } = row;
  const isTest = position === null;
  return {
    id,
    webhookId: row.webhookId,
    messageId: isTest ? `evt_test_${id}` : `evt_${position}`,
    isTest,
    attempt: attempts,
    attemptedBefore: attemptedBefore ?? undefined,
    url: url ?? '',
    sealedSecrets: secrets ?? [],
    body: body ?? '',
  };
}

export function verdictOf(row: ClaimedRow, delivery: ClaimedDelivery): ClaimVerdict {
  if (!row.isEnabled) return 'endpoint_disabled';
  if (!row.mayReceive) return 'key_invalid';
  if (row.body === null || isExhausted(delivery)) return 'impossible';
  return row.sees ? 'attempt' : 'not_allowed';
}
