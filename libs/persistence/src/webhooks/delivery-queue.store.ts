import { Injectable } from '@nestjs/common';
import {
  type AttemptResult,
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryBacklog,
  type DeliveryQueue,
  type EndedAttempt,
  type EndpointChange,
  type WebhookId,
} from '@petstore/webhook';
import { READ_BY_INDEX } from '../events/sequencing.queries.js';
import type { Transaction } from '../unit-of-work/transaction.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { DeliveryRepository } from './delivery.repository.js';
import { ACKNOWLEDGE, BACKLOG, CLAIM, RELEASE } from './delivery-queue.queries.js';
import { WebhookRepository } from './webhook.repository.js';

/** A row of the statement {@link CLAIM}. */
interface ClaimedRow extends ClaimedDelivery {
  readonly status: 'failed' | 'dropped' | null;
  readonly endsAll: boolean;
}

/** The queue of deliveries. Each method is one transaction, and none waits for another worker. */
@Injectable()
export class DeliveryQueueStore implements DeliveryQueue {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  claim({ leaseMs, held, perEndpoint, room }: ClaimRequest): Promise<Claim> {
    return this.run(async (tx) => {
      const values = [leaseMs, [...held.keys()], [...held.values()], perEndpoint, room.fast, room.slow];
      const rows = await tx.manager.query<ClaimedRow[]>(CLAIM, values);
      const dropped = await refuse(tx, rows, 'dropped');
      const failed = await refuse(tx, rows, 'failed');
      return { deliveries: rows.filter(({ status }) => status === null), dropped, failed };
    });
  }

  acknowledge(attempts: readonly EndedAttempt[]): Promise<readonly EndpointChange[]> {
    return this.run(async (tx) => {
      // Endpoints are locked before their deliveries, as by every change of an endpoint.
      const changes = await judgeEndpoints(tx, attempts);
      await tx.manager.query(ACKNOWLEDGE, [
        attempts.map(({ delivery }) => delivery.id),
        attempts.map(({ delivery }) => delivery.attempt),
        attempts.map(({ step }) => step.status),
        attempts.map(({ step }) => (step.status === 'pending' ? step.delayMs : null)),
        attempts.map(({ outcome }) => outcome.responseStatus ?? null),
        attempts.map(({ outcome }) => outcome.error ?? null),
      ]);
      const disabled = changes.filter(({ change }) => change === 'disabled');
      if (disabled.length > 0)
        await tx.of(DeliveryRepository).end(
          disabled.map(({ webhookId }) => webhookId),
          'failed',
        );
      return changes;
    });
  }

  async release(deliveries: readonly ClaimedDelivery[], delayMs = 0): Promise<void> {
    await this.run((tx) => endClaims(tx, deliveries, 'pending', delayMs));
  }

  backlog(): Promise<DeliveryBacklog> {
    return this.run(async ({ manager }) => {
      const [backlog] = await manager.query<[DeliveryBacklog]>(BACKLOG);
      return backlog;
    });
  }

  private run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(
      async (tx) => {
        await tx.manager.query(READ_BY_INDEX);
        return work(tx);
      },
      { isBackground: true },
    );
  }
}

/**
 * Ends deliveries that are not attempted, and the others that are due of an endpoint with `endsAll`.
 *
 * @returns how many
 */
async function refuse(
  tx: Transaction,
  rows: readonly ClaimedRow[],
  status: 'failed' | 'dropped',
): Promise<number> {
  const refused = rows.filter((row) => row.status === status);
  if (refused.length === 0) return 0;
  await endClaims(tx, refused, status);
  const ended = refused.filter(({ endsAll }) => endsAll).map(({ webhookId }) => webhookId);
  return refused.length + (await tx.of(DeliveryRepository).end(ended, status, { onlyDue: true }));
}

/** @param delayMs until the next attempt; what is not pending any more has none */
async function endClaims(
  { manager }: Transaction,
  deliveries: readonly ClaimedDelivery[],
  status: 'pending' | 'failed' | 'dropped',
  delayMs: number | null = null,
): Promise<void> {
  await manager.query(RELEASE, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ attempt }) => attempt),
    deliveries.map(({ attemptedBefore }) => attemptedBefore),
    status,
    delayMs,
  ]);
}

/** Lets the endpoints take note of their attempts. @returns what has changed of them */
async function judgeEndpoints(
  tx: Transaction,
  attempts: readonly EndedAttempt[],
): Promise<readonly EndpointChange[]> {
  const endpointsOf = (some: readonly EndedAttempt[]): readonly WebhookId[] => [
    ...new Set(some.map(({ delivery }) => delivery.webhookId)),
  ];
  const latest = new Map(attempts.map((attempt) => [attempt.delivery.webhookId, attempt]));
  const webhooks = tx.of(WebhookRepository);
  const attempted = await webhooks.lockAttempted({
    all: endpointsOf(attempts),
    slow: endpointsOf([...latest.values()].filter(({ isSlow }) => isSlow)),
    failed: endpointsOf(attempts.filter(({ outcome }) => !outcome.isDelivered)),
  });
  const changes: EndpointChange[] = [];
  for (const { webhook, now } of attempted) {
    const results = attempts.filter(({ delivery }) => delivery.webhookId === webhook.id).map(resultOf);
    const change = webhook.judge(results, now);
    if (change !== undefined) changes.push(change);
  }
  await webhooks.updateAttempted(attempted.map(({ webhook }) => webhook));
  return changes;
}

function resultOf({ delivery, outcome, step, isSlow }: EndedAttempt): AttemptResult {
  const isGone = step.status === 'failed' && step.isGone;
  const { url, isTest } = delivery;
  return { url, isTest, isDelivered: outcome.isDelivered, isGone, isSlow };
}
