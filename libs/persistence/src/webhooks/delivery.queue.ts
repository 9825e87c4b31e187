import { Injectable } from '@nestjs/common';
import {
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryQueue as DeliveryQueuePort,
  type DeliveryStatus,
  type DisabledEndpoint,
  type EndpointFailures,
  isGivenUp,
  type SettledAttempt,
  type WebhookId,
} from '@petstore/webhook';
import type { EntityManager } from 'typeorm';
import { READ_BY_INDEX } from '../events/sequencing.queries.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { type ClaimedRow, type ClaimVerdict, toDelivery, verdictOf } from './claimed-row.js';
import {
  CLAIM,
  COUNT_DUE,
  COUNT_FAILURES,
  DISABLE,
  FORGET_FAILURES,
  LOCK_COUNTED,
  SETTLE,
  SETTLE_PENDING,
  UNCLAIM,
} from './delivery-queue.queries.js';
import { summarizeEndpoints } from './endpoint-summary.js';

/** State of a delivery that is not attempted. */
const STATES: Readonly<Record<Exclude<ClaimVerdict, 'attempt'>, DeliveryStatus>> = {
  endpoint_disabled: 'failed',
  key_invalid: 'dropped',
  not_allowed: 'dropped',
  impossible: 'failed',
};

/** The only row when nothing was claimed. */
interface NothingClaimed {
  readonly id: null;
  readonly chosen: number;
}

interface RefusedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly verdict: Exclude<ClaimVerdict, 'attempt'>;
}

/** Deliveries that are due. Each method is one transaction, and none waits for a sender. */
@Injectable()
export class DeliveryQueue implements DeliveryQueuePort {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  claim({ most, leaseMs, places, held, otherPlaces, mostOthers }: ClaimRequest): Promise<Claim> {
    const [placesOf, heldOf] = [places, held].map((counts) => JSON.stringify(Object.fromEntries(counts)));
    return this.run(async (manager) => {
      const rows = await manager.query<(ClaimedRow | NothingClaimed)[]>(CLAIM, [
        most,
        leaseMs,
        placesOf,
        otherPlaces,
        heldOf,
        mostOthers,
      ]);
      const deliveries: ClaimedDelivery[] = [];
      const refused: RefusedDelivery[] = [];
      for (const row of rows) {
        if (row.id === null) continue;
        const delivery = toDelivery(row);
        const verdict = verdictOf(row, delivery);
        if (verdict === 'attempt') deliveries.push(delivery);
        else refused.push({ delivery, verdict });
      }
      const settled = refused.length > 0 ? await refuse(manager, refused) : { dropped: 0, failed: 0 };
      // Of what was chosen, others may have taken some at the same moment, and more may be behind it.
      const chosen = rows[0]?.chosen ?? 0;
      const hasMore = refused.length > 0 || deliveries.length < chosen || chosen >= most;
      return { deliveries, ...settled, hasMore };
    });
  }

  settle(attempts: readonly SettledAttempt[]): Promise<readonly DisabledEndpoint[]> {
    if (attempts.length === 0) return Promise.resolve([]);
    return this.run(async (manager) => {
      // Endpoints are locked before their deliveries, as by every change of an endpoint.
      const disabled = await settleEndpoints(manager, attempts);
      await manager.query(SETTLE, [
        attempts.map(({ delivery }) => delivery.id),
        attempts.map(({ delivery }) => delivery.attempt),
        attempts.map(({ step }) => step.status),
        attempts.map(({ step }) => (step.status === 'pending' ? step.delayMs : null)),
        attempts.map(({ outcome }) => outcome.responseStatus ?? null),
        attempts.map(({ outcome }) => (outcome.isDelivered ? null : outcome.error)),
      ]);
      if (disabled.length > 0)
        await manager.query(SETTLE_PENDING, [disabled.map(({ webhookId }) => webhookId), 'failed']);
      return disabled;
    });
  }

  async release(deliveries: readonly ClaimedDelivery[], delayMs = 0): Promise<void> {
    if (deliveries.length === 0) return;
    await this.run((manager) =>
      unclaim(
        manager,
        deliveries,
        deliveries.map(() => 'pending'),
        delayMs,
      ),
    );
  }

  due(): Promise<number> {
    return this.run(async (manager) => {
      const [{ count }] = await manager.query<[{ count: number }]>(COUNT_DUE);
      return count;
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

/** Settles what is not attempted, and with it all that is pending of endpoints that nothing is sent to. */
async function refuse(
  manager: EntityManager,
  refused: readonly RefusedDelivery[],
): Promise<Pick<Claim, 'dropped' | 'failed'>> {
  const states = refused.map(({ verdict }) => STATES[verdict]);
  const deliveries = refused.map(({ delivery }) => delivery);
  await unclaim(manager, deliveries, states, 0);
  const settlePending = async (verdict: ClaimVerdict, status: DeliveryStatus): Promise<number> => {
    const ids = refused.filter((one) => one.verdict === verdict).map(({ delivery }) => delivery.webhookId);
    const [, count] = await manager.query<[unknown, number]>(SETTLE_PENDING, [ids, status]);
    return count;
  };
  const failed = await settlePending('endpoint_disabled', 'failed');
  const dropped = await settlePending('key_invalid', 'dropped');
  const count = (status: DeliveryStatus): number => states.filter((each) => each === status).length;
  return { dropped: count('dropped') + dropped, failed: count('failed') + failed };
}

async function unclaim(
  manager: EntityManager,
  deliveries: readonly ClaimedDelivery[],
  states: readonly DeliveryStatus[],
  delayMs: number,
): Promise<void> {
  await manager.query(UNCLAIM, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ attempt }) => attempt),
    deliveries.map(({ attemptedBefore }) => attemptedBefore ?? null),
    states,
    delayMs,
  ]);
}

async function settleEndpoints(
  manager: EntityManager,
  attempts: readonly SettledAttempt[],
): Promise<readonly DisabledEndpoint[]> {
  const { successful, failures, gone } = summarizeEndpoints(attempts);
  const failedIds = failures.map(([webhookId]) => webhookId);
  if (successful.length > 0 && failures.length > 0)
    await manager.query(LOCK_COUNTED, [successful, failedIds]);
  if (successful.length > 0) await manager.query(FORGET_FAILURES, [successful]);
  if (failures.length === 0) return [];
  const [failing] = await manager.query<[(EndpointFailures & { id: WebhookId })[], number]>(COUNT_FAILURES, [
    failedIds,
    failures.map(([, count]) => count),
  ]);
  const ended = failing.flatMap(({ id: webhookId, ...failed }): readonly DisabledEndpoint[] => {
    if (gone.has(webhookId)) return [{ webhookId, reason: 'gone' }];
    return isGivenUp(failed) ? [{ webhookId, reason: 'failing' }] : [];
  });
  if (ended.length === 0) return [];
  const [disabled] = await manager.query<[{ id: WebhookId }[], number]>(DISABLE, [
    ended.map(({ webhookId }) => webhookId),
    ended.map(({ reason }) => reason),
  ]);
  return ended.filter(({ webhookId }) => disabled.some(({ id }) => id === webhookId));
}
