import type { SettledAttempt, WebhookId } from '@petstore/webhook';

/** What attempts say of their endpoints; in the order of ids, in which endpoints are locked. */
export interface EndpointSummary {
  /** At least one attempt has succeeded. */
  readonly successful: readonly WebhookId[];
  /** All have failed, so many; also those that are gone. */
  readonly failures: readonly (readonly [WebhookId, number])[];
  /** They have said that they will never exist again. */
  readonly gone: ReadonlySet<WebhookId>;
}

/** Tests say nothing of an endpoint. */
export function summarizeEndpoints(attempts: readonly SettledAttempt[]): EndpointSummary {
  const counted = attempts.filter(({ delivery }) => !delivery.isTest);
  const gone = new Set<WebhookId>();
  const successful = new Set<WebhookId>();
  const failures = new Map<WebhookId, number>();
  for (const { delivery, outcome, step } of counted) {
    const { webhookId } = delivery;
    if (outcome.isDelivered) successful.add(webhookId);
    else failures.set(webhookId, (failures.get(webhookId) ?? 0) + 1);
    if (step.status === 'failed' && step.isGone) gone.add(webhookId);
  }
  for (const webhookId of successful) if (!gone.has(webhookId)) failures.delete(webhookId);
  return {
    successful: [...successful].filter((webhookId) => !gone.has(webhookId)).sort(byId),
    failures: [...failures].sort(([one], [other]) => byId(one, other)),
    gone,
  };
}

const byId = (one: WebhookId, other: WebhookId): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
