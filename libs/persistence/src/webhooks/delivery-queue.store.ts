import { Injectable } from '@nestjs/common';
import {
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  PRIORITY_CLASSES,
  type DeliveryBacklog,
  type DeliveryQueue,
  type DeliveryStatus,
  type EndpointChange,
  type EndedAttempt,
} from '@petstore/webhook';
import type { EntityManager } from 'typeorm';
import { READ_BY_INDEX } from '../events/sequencing.queries.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import {
  ACKNOWLEDGE,
  ACKNOWLEDGE_ENDPOINTS,
  BACKLOG,
  CLAIM,
  END_PENDING,
  RELEASE,
} from './delivery-queue.queries.js';

/** A row of the statement {@link CLAIM}. */
interface ClaimedRow extends ClaimedDelivery {
  readonly status: 'failed' | 'dropped' | null;
  readonly endsAll: boolean;
}

/** The queue of deliveries. Each method is one transaction, and none waits for another worker. */
@Injectable()
export class DeliveryQueueStore implements DeliveryQueue {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  claim(request: ClaimRequest): Promise<Claim> {
    const { leaseMs, held, classes } = request;
    return this.run(async (manager) => {
      const rows: ClaimedRow[] = [];
      for (const priorityClass of PRIORITY_CLASSES) {
        const { limit = 0, perEndpoint } = classes[priorityClass] ?? {};
        if (limit === 0) continue;
        const values = [leaseMs, [...held.keys()], [...held.values()], perEndpoint, limit];
        rows.push(...(await manager.query<ClaimedRow[]>(CLAIM[priorityClass], values)));
      }
      const deliveries = rows.filter(({ status }) => status === null);
      const refused = rows.filter(({ status }) => status !== null);
      const [dropped, failed] = [
        await refuse(manager, refused, 'dropped'),
        await refuse(manager, refused, 'failed'),
      ];
      return { deliveries, dropped, failed };
    });
  }

  acknowledge(attempts: readonly EndedAttempt[]): Promise<readonly EndpointChange[]> {
    return this.run(async (manager) => {
      // Endpoints are locked before their deliveries, as by every change of an endpoint.
      const changes = await acknowledgeEndpoints(manager, attempts);
      await manager.query(ACKNOWLEDGE, [
        attempts.map(({ delivery }) => delivery.id),
        attempts.map(({ delivery }) => delivery.attempt),
        attempts.map(({ step }) => step.status),
        attempts.map(({ step }) => (step.status === 'pending' ? step.delayMs : null)),
        attempts.map(({ outcome }) => outcome.responseStatus ?? null),
        attempts.map(({ outcome }) => outcome.error ?? null),
      ]);
      const disabled = changes
        .filter(({ change }) => change === 'disabled')
        .map(({ webhookId }) => webhookId);
      if (disabled.length > 0) await manager.query(END_PENDING, [disabled, 'failed', false]);
      return changes;
    });
  }

  async release(deliveries: readonly ClaimedDelivery[], delayMs = 0): Promise<void> {
    if (deliveries.length > 0)
      await this.run((manager) => endClaims(manager, deliveries, 'pending', delayMs));
  }

  backlog(): Promise<DeliveryBacklog> {
    return this.run(async (manager) => {
      const [backlog] = await manager.query<[DeliveryBacklog]>(BACKLOG);
      return backlog;
    });
  }

  private run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(
      async ({ manager }) => {
        await manager.query(READ_BY_INDEX);
        return work(manager);
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
  manager: EntityManager,
  rows: readonly ClaimedRow[],
  status: 'failed' | 'dropped',
): Promise<number> {
  const refused = rows.filter((row) => row.status === status);
  if (refused.length === 0) return 0;
  await endClaims(manager, refused, status, 0);
  const ended = refused.filter(({ endsAll }) => endsAll).map(({ webhookId }) => webhookId);
  const [, others] = await manager.query<[unknown, number]>(END_PENDING, [ended, status, true]);
  return refused.length + others;
}

/** What is not pending any more has no next attempt. */
async function endClaims(
  manager: EntityManager,
  deliveries: readonly ClaimedDelivery[],
  status: DeliveryStatus,
  delayMs: number,
): Promise<void> {
  await manager.query(RELEASE, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ attempt }) => attempt),
    deliveries.map(({ attemptedBefore }) => attemptedBefore),
    status,
    status === 'pending' ? delayMs : null,
  ]);
}

/** Tests say nothing of an endpoint but how fast it is. */
async function acknowledgeEndpoints(
  manager: EntityManager,
  attempts: readonly EndedAttempt[],
): Promise<readonly EndpointChange[]> {
  const ids = [...new Set(attempts.map(({ delivery }) => delivery.webhookId))];
  const byEndpoint = ids.map((id) => attempts.filter(({ delivery }) => delivery.webhookId === id));
  const counted = byEndpoint.map((all) => all.filter(({ delivery }) => !delivery.isTest));
  return manager.query<EndpointChange[]>(ACKNOWLEDGE_ENDPOINTS, [
    ids,
    counted.map((all) => all.filter(({ outcome }) => !outcome.isDelivered).length),
    counted.map((all) => all.some(({ outcome }) => outcome.isDelivered)),
    counted.map((all) => all.some(({ step }) => step.status === 'failed' && step.isGone)),
    byEndpoint.map((all) => all.filter(({ isSlow }) => !isSlow).length),
    byEndpoint.map((all) => all.some(({ isSlow }) => isSlow)),
  ]);
}
