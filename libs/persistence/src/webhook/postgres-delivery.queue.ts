import { Inject, Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@petstore/pet-domain';
import {
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryQueue,
  type DisabledEndpoint,
  isGivenUp,
  type SettledAttempt,
  type WebhookId,
} from '@petstore/webhook';
import { BACKGROUND_WORK } from '../unit-of-work/background-work.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { READ_BY_INDEX } from '../unit-of-work/read-by-index.js';
import { plainArrayLiteral } from '../columns/array-literals.js';
import { type ClaimedRow, toClaimedRow, type Verdict } from './claimed-row.js';
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
} from './delivery-queue-statements.js';
import { summarizeEndpoints } from './endpoint-summary.js';

/** Deliveries in PostgreSQL. Whatever it is asked is one transaction, and none waits for a sender. */
@Injectable()
export class PostgresDeliveryQueue implements DeliveryQueue {
  constructor(@Inject(BACKGROUND_WORK) private readonly work: UnitOfWork) {}

  claim({ most, leaseMs, places, held, otherPlaces, mostOthers }: ClaimRequest): Promise<Claim> {
    return this.run(async (session) => {
      const [placesOf, heldOf] = [places, held].map((counts) => JSON.stringify(Object.fromEntries(counts)));
      const others = [String(otherPlaces), heldOf ?? '{}', String(mostOthers)] as const;
      const [rows = []] = await session.ask(
        bound(CLAIM, String(most), String(leaseMs), placesOf ?? '{}', ...others),
      );
      const claimed = rows.filter(([id]) => id !== null).map(toClaimedRow);
      const of = (...verdicts: readonly Verdict[]): readonly ClaimedDelivery[] =>
        claimed.filter(({ verdict }) => verdicts.includes(verdict)).map(({ delivery }) => delivery);
      const deliveries = of('attempt');
      const isRefused = deliveries.length < claimed.length;
      const refused = isRefused ? await this.refuse(session, claimed) : { dropped: 0, failed: 0 };
      // Of what was chosen, others may have taken some at the same moment, and more may be behind it.
      const chosen = Number(rows[0]?.[11] ?? 0);
      return { deliveries, ...refused, hasMore: isRefused || claimed.length < chosen || chosen >= most };
    });
  }

  settle(attempts: readonly SettledAttempt[]): Promise<readonly DisabledEndpoint[]> {
    if (attempts.length === 0) return Promise.resolve([]);
    return this.run(async (session) => {
      // Endpoints are locked before their deliveries, as whoever changes an endpoint does.
      const disabled = await this.settleEndpoints(session, attempts);
      const settled = bound(
        SETTLE,
        plainArrayLiteral(attempts, ({ delivery }) => delivery.id),
        plainArrayLiteral(attempts, ({ delivery }) => delivery.attempt),
        plainArrayLiteral(attempts, ({ step }) => step.status),
        plainArrayLiteral(attempts, ({ step }) => (step.status === 'pending' ? step.delayMs : undefined)),
        plainArrayLiteral(attempts, ({ outcome }) => outcome.responseStatus),
        plainArrayLiteral(attempts, ({ outcome }) => (outcome.isDelivered ? undefined : outcome.error)),
      );
      session.defer(settled);
      if (disabled.length > 0)
        session.defer(
          bound(
            SETTLE_PENDING,
            plainArrayLiteral(disabled, ({ webhookId }) => webhookId),
            'failed',
          ),
        );
      return disabled;
    });
  }

  release(deliveries: readonly ClaimedDelivery[], delayMs = 0): Promise<void> {
    if (deliveries.length === 0) return Promise.resolve();
    return this.run((session) => {
      session.defer(unclaim(deliveries, () => 'pending', delayMs));
      return Promise.resolve();
    });
  }

  due(): Promise<number> {
    return this.run(async (session) => {
      const [[[count] = []] = []] = await session.ask(bound(COUNT_DUE));
      return Number(count);
    });
  }

  private run<T>(work: (session: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.work.run((transaction) => {
      const session = PostgresTransaction.of(transaction);
      session.defer(bound(READ_BY_INDEX));
      return work(session);
    });
  }

  /** Settles what is not attempted, and with it all that is pending of endpoints that nothing is sent to. */
  private async refuse(
    session: PostgresTransaction,
    claimed: readonly ClaimedRow[],
  ): Promise<Pick<Claim, 'dropped' | 'failed'>> {
    const refused = claimed.filter(({ verdict }) => verdict !== 'attempt');
    const stateOf = new Map(refused.map(({ delivery, verdict }) => [delivery.id, STATES[verdict]]));
    session.defer(
      unclaim(
        refused.map(({ delivery }) => delivery),
        ({ id }) => stateOf.get(id) ?? 'failed',
        0,
      ),
    );
    const endpoints = (verdict: Verdict): string =>
      plainArrayLiteral(
        refused.filter((row) => row.verdict === verdict),
        ({ delivery }) => delivery.webhookId,
      );
    const [failed = [], dropped = []] = await session.ask(
      bound(SETTLE_PENDING, endpoints('endpoint_disabled'), 'failed'),
      bound(SETTLE_PENDING, endpoints('key_invalid'), 'dropped'),
    );
    const count = (state: string): number => [...stateOf.values()].filter((each) => each === state).length;
    return { dropped: count('dropped') + dropped.length, failed: count('failed') + failed.length };
  }

  private async settleEndpoints(
    session: PostgresTransaction,
    attempts: readonly SettledAttempt[],
  ): Promise<readonly DisabledEndpoint[]> {
    const { successful, failures, gone } = summarizeEndpoints(attempts);
    const succeededIds = plainArrayLiteral(successful, (webhookId) => webhookId);
    const failedIds = plainArrayLiteral(failures, ([webhookId]) => webhookId);
    if (successful.length > 0 && failures.length > 0)
      session.defer(bound(LOCK_COUNTED, succeededIds, failedIds));
    if (successful.length > 0) session.defer(bound(FORGET_FAILURES, succeededIds));
    if (failures.length === 0) return [];
    const counts = plainArrayLiteral(failures, ([, count]) => count);
    const [failing = []] = await session.ask(bound(COUNT_FAILURES, failedIds, counts));
    const ended = failing.flatMap(([id, failingForMs, failedAttempts]): readonly DisabledEndpoint[] => {
      const webhookId = id as WebhookId;
      if (gone.has(webhookId)) return [{ webhookId, reason: 'gone' }];
      const failed = { failingForMs: Number(failingForMs), failedAttempts: Number(failedAttempts) };
      return isGivenUp(failed) ? [{ webhookId, reason: 'failing' }] : [];
    });
    if (ended.length === 0) return [];
    const [disabled = []] = await session.ask(
      bound(
        DISABLE,
        plainArrayLiteral(ended, ({ webhookId }) => webhookId),
        plainArrayLiteral(ended, ({ reason }) => reason),
      ),
    );
    return ended.filter(({ webhookId }) => disabled.some(([id]) => id === webhookId));
  }
}

const STATES: Readonly<Record<Verdict, 'pending' | 'failed' | 'dropped'>> = {
  attempt: 'pending',
  endpoint_disabled: 'failed',
  key_invalid: 'dropped',
  not_allowed: 'dropped',
  impossible: 'failed',
};

function unclaim(
  deliveries: readonly ClaimedDelivery[],
  stateOf: (delivery: ClaimedDelivery) => string,
  delayMs: number,
): ReturnType<typeof bound> {
  return bound(
    UNCLAIM,
    plainArrayLiteral(deliveries, ({ id }) => id),
    plainArrayLiteral(deliveries, ({ attempt }) => attempt),
    plainArrayLiteral(deliveries, ({ attemptedBefore }) => attemptedBefore && `"${attemptedBefore}"`),
    plainArrayLiteral(deliveries, stateOf),
    String(delayMs),
  );
}
