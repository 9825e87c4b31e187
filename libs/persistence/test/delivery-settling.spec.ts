import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  type SettledAttempt,
  stepAfter,
  type WebhookId,
} from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import { soon } from './soon.js';
import { Subscriptions } from './subscriptions.js';

let shop: Subscriptions;
beforeAll(async () => {
  shop = await Subscriptions.open();
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.reset();
  await shop.key('key_1');
});

const delivered: AttemptOutcome = { isDelivered: true, responseStatus: 204 };
const failed: AttemptOutcome = { isDelivered: false, error: 'timeout' };
const gone: AttemptOutcome = { isDelivered: false, error: 'http_status', responseStatus: 410 };

const ended = (outcome: AttemptOutcome, ...deliveries: readonly ClaimedDelivery[]): SettledAttempt[] =>
  deliveries.map((delivery) => ({ delivery, outcome, step: stepAfter(delivery, outcome, 0) }));
const ids = (deliveries: readonly ClaimedDelivery[]): string[] =>
  deliveries.map(({ messageId }) => messageId);
const endpointState = async (id: WebhookId): Promise<unknown> => {
  const { rows } = await shop.feed.admin.query<object>(
    `select status, disabled_reason as reason, failing_since is not null as failing from webhooks where id = $1`,
    [id],
  );
  return rows[0];
};

describe('an attempt that is settled', () => {
  let webhookId: WebhookId;
  beforeEach(async () => {
    webhookId = await shop.endpoint('key_1');
  });

  it('is delivered, due again after the delay, or failed', async () => {
    await shop.updates(3);
    const [one, two, three] = (await shop.claim()).deliveries.map(known) as [
      ClaimedDelivery,
      ClaimedDelivery,
      ClaimedDelivery,
    ];
    const last = { ...three, attempt: 1 };
    await shop.queue.settle([
      ...ended(delivered, one),
      ...ended({ isDelivered: false, error: 'http_status', responseStatus: 503, retryAfterMs: 60_000 }, two),
      { delivery: last, outcome: failed, step: { status: 'failed', isGone: false } },
    ]);
    expect(await shop.deliveries()).toMatchObject([
      { status: 'delivered', attempts: 1, due: null, response: 204, error: null },
      { status: 'pending', attempts: 1, due: 60, response: 503, error: 'http_status' },
      { status: 'failed', attempts: 1, due: null, response: null, error: 'timeout' },
    ]);
  });

  it('ends after ten failures', async () => {
    await shop.updates(1);
    for (let attempt = 1; attempt <= 10; attempt++) {
      const { deliveries } = await shop.claim();
      expect(deliveries).toMatchObject([{ attempt }]);
      await shop.queue.settle(ended(failed, ...deliveries));
      await shop.pass(24 * 3_600);
    }
    expect((await shop.claim()).deliveries).toEqual([]);
    expect(await shop.deliveries()).toMatchObject([{ status: 'failed', attempts: 10, error: 'timeout' }]);
  });

  it('that failed is of no account once others have claimed it, but one that was delivered is', async () => {
    await shop.updates(2);
    const first = (await shop.claim()).deliveries;
    await shop.pass(31);
    await shop.claim();
    await shop.queue.settle([...ended(failed, known(first[0])), ...ended(delivered, known(first[1]))]);
    expect(await shop.deliveries()).toMatchObject([
      { status: 'pending', attempts: 2, due: 30, error: null },
      { status: 'delivered', attempts: 2 },
    ]);
    await shop.queue.settle(ended(failed, known(first[1])));
    expect(await shop.deliveries()).toMatchObject([{ status: 'pending' }, { status: 'delivered' }]);
  });

  it('disables an endpoint that is gone, and what was pending has failed', async () => {
    const other = await shop.endpoint('key_1');
    await shop.updates(3);
    const { deliveries } = await shop.claim({ held: new Map([[other, 1]]), perEndpoint: 1 });
    expect(await shop.queue.settle(ended(gone, ...deliveries))).toEqual([{ webhookId, reason: 'gone' }]);
    expect(await endpointState(webhookId)).toMatchObject({ status: 'disabled', reason: 'gone' });
    const states = await shop.deliveries();
    expect(states.filter(({ webhook }) => webhook === webhookId).map(({ status }) => status)).toEqual(
      Array(3).fill('failed'),
    );
    expect(states.filter(({ status }) => status === 'pending')).toHaveLength(3);
  });

  it('of a test counts towards nothing', async () => {
    await shop.feed.admin.query(
      `insert into webhook_deliveries (webhook_id, type, status, next_attempt_at)
       values ($1, 'webhook.test', 'pending', now())`,
      [webhookId],
    );
    expect(await shop.queue.settle(ended(gone, ...(await shop.claim()).deliveries))).toEqual([]);
    expect(await endpointState(webhookId)).toEqual({ status: 'enabled', reason: null, failing: false });
    expect(await shop.deliveries()).toMatchObject([{ status: 'failed', response: 410 }]);
  });

  it('is given back as if it had not been claimed', async () => {
    await shop.updates(2);
    await shop.queue.settle(ended(failed, ...(await shop.claim()).deliveries));
    await shop.pass(10);
    const before = await shop.feed.admin.query(
      'select id, attempts, last_attempt_at from webhook_deliveries',
    );
    const { deliveries } = await shop.claim();
    await shop.queue.release(deliveries.slice(0, 1));
    await shop.queue.release(deliveries.slice(1), 60_000);
    const after = await shop.feed.admin.query('select id, attempts, last_attempt_at from webhook_deliveries');
    expect(after.rows).toEqual(before.rows);
    expect(await shop.deliveries()).toMatchObject([{ due: 0 }, { due: 60 }]);
    expect(ids((await shop.claim()).deliveries)).toEqual(['evt_1']);
  });
});

describe('an endpoint to which all attempts fail', () => {
  const DAY = 24 * 3_600;
  let webhookId: WebhookId;
  beforeEach(async () => {
    webhookId = await shop.endpoint('key_1');
  });
  const fail = async (count: number): Promise<readonly unknown[]> => {
    await shop.updates(count);
    const { deliveries } = await shop.claim();
    return shop.queue.settle(ended(failed, ...deliveries));
  };

  it('is disabled after five days and ten attempts', async () => {
    expect(await fail(5)).toEqual([]);
    expect(await endpointState(webhookId)).toEqual({ status: 'enabled', reason: null, failing: true });
    await shop.pass(5 * DAY);
    // Five again and three new ones are enough; before there were too few.
    expect(await fail(3)).toEqual([{ webhookId, reason: 'failing' }]);
    expect(await endpointState(webhookId)).toEqual({ status: 'disabled', reason: 'failing', failing: true });
    for (const delivery of await shop.deliveries())
      expect(delivery).toMatchObject({ status: 'failed', due: null });
  });

  it('is not after fewer attempts, nor after a shorter time', async () => {
    await fail(9);
    expect(await fail(5)).toEqual([]);
    await shop.feed.admin.query('delete from webhook_deliveries');
    await shop.pass(5 * DAY - 60);
    expect(await fail(1)).toEqual([]);
    await shop.pass(60);
    expect(await fail(1)).toHaveLength(1);
  });

  it('begins anew after a success', async () => {
    await fail(20);
    await shop.pass(6 * DAY);
    const { deliveries } = await shop.claim();
    expect(
      await shop.queue.settle([
        ...ended(failed, ...deliveries.slice(1)),
        ...ended(delivered, known(deliveries[0])),
      ]),
    ).toEqual([]);
    expect(await endpointState(webhookId)).toEqual({ status: 'enabled', reason: null, failing: false });
    expect(await fail(1)).toEqual([]);
  });
});

describe('two who settle attempts to the same endpoints', () => {
  it('lock these in one order, whatever has become of each', async () => {
    const [first, second] = [
      await shop.endpoint('key_1', { types: ['pet.updated'] }),
      await shop.endpoint('key_1', { types: ['pet.deleted'] }),
    ];
    await shop.happen(['pet.updated'], ['pet.deleted']);
    const { deliveries } = await shop.claim();
    const of = (id: WebhookId): ClaimedDelivery =>
      known(deliveries.find(({ webhookId }) => webhookId === id));
    const { admin } = shop.feed;
    await admin.query('update webhooks set failing_since = now()');
    await admin.query('begin');
    await admin.query('select from webhooks where id = $1 for update', [first]);
    const settled = shop.queue.settle([...ended(failed, of(first)), ...ended(delivered, of(second))]);
    try {
      await soon(async () => {
        const { rows } = await admin.query('select from pg_locks where not granted');
        expect(rows).toHaveLength(1);
      });
      const { rows } = await admin.query('select from webhooks where id = $1 for update skip locked', [
        second,
      ]);
      expect(rows).toHaveLength(1);
    } finally {
      await admin.query('commit');
      await settled;
    }
    expect((await shop.deliveries()).map(({ status }) => status)).toEqual(['pending', 'delivered']);
  });
});
