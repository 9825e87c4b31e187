import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FreeText } from '@petstore/pet-domain';
import type { ClaimedDelivery, EndedAttempt, Webhook, WebhookId, WebhookUrl } from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import { TestDatabase } from './test-database.js';
import { messageIds, TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);
let webhookId: WebhookId;
beforeEach(async () => {
  webhookId = await webhooks.endpoint();
});

type AttemptOutcome = EndedAttempt['outcome'];
type WebhookPatch = Parameters<Webhook['patch']>[0];

const DAY = 24 * 3_600;
const delivered: AttemptOutcome = { isDelivered: true, responseStatus: 204 };
const failed: AttemptOutcome = { isDelivered: false, error: 'timeout' };
const gone: AttemptOutcome = { isDelivered: false, error: 'http_status', responseStatus: 410 };
const unavailable: AttemptOutcome = {
  isDelivered: false,
  error: 'http_status',
  responseStatus: 503,
  retryAfterMs: 60_000,
};

const stepAfter = ({ isTest }: ClaimedDelivery, outcome: AttemptOutcome): EndedAttempt['step'] => {
  if (outcome.isDelivered) return { status: 'delivered' };
  if (isTest || outcome === gone) return { status: 'failed', isGone: !isTest };
  return { status: 'pending', delayMs: outcome.retryAfterMs ?? 5_000 };
};
const ended = (outcome: AttemptOutcome, ...deliveries: readonly ClaimedDelivery[]): EndedAttempt[] =>
  deliveries.map((delivery) => ({ delivery, outcome, isSlow: false, step: stepAfter(delivery, outcome) }));
const claimed = async (): Promise<readonly ClaimedDelivery[]> => (await webhooks.claim()).deliveries;
const acknowledge = (outcome: AttemptOutcome, ...deliveries: readonly ClaimedDelivery[]) =>
  webhooks.queue.acknowledge(ended(outcome, ...deliveries));
const endpoint = async (): Promise<unknown> => {
  const [row] = await db.query(
    `select status, disabled_reason as reason, failing_since is not null as failing from webhooks where id = $1`,
    [webhookId],
  );
  return row;
};

describe('an attempt that is acknowledged', () => {
  it('is delivered, due again after the delay, or failed', async () => {
    await webhooks.updates(3);
    const [one, two, three] = await claimed();
    await webhooks.queue.acknowledge([
      ...ended(delivered, known(one)),
      ...ended(unavailable, known(two)),
      { delivery: known(three), outcome: failed, isSlow: true, step: { status: 'failed', isGone: false } },
    ]);
    expect(await webhooks.deliveries()).toMatchObject([
      { status: 'delivered', attempts: 1, due: null, response: 204, error: null },
      { status: 'pending', attempts: 1, due: 60, response: 503, error: 'http_status' },
      { status: 'failed', attempts: 1, due: null, response: null, error: 'timeout' },
    ]);
  });

  it('that failed is of no account once others have claimed it, but one that was delivered is', async () => {
    await webhooks.updates(2);
    const [first, second] = await claimed();
    await webhooks.pass(31);
    await webhooks.claim();
    await webhooks.queue.acknowledge([...ended(failed, known(first)), ...ended(delivered, known(second))]);
    expect(await webhooks.deliveries()).toMatchObject([
      { status: 'pending', attempts: 2, due: 30, error: null },
      { status: 'delivered', attempts: 2 },
    ]);
    await acknowledge(failed, known(second));
    expect(await webhooks.states()).toEqual({ pending: 1, delivered: 1 });
  });

  it('disables an endpoint that is gone, and what was pending has failed', async () => {
    const other = await webhooks.endpoint();
    await webhooks.updates(3);
    const { deliveries } = await webhooks.claim({ held: new Map([[other, 1]]), perEndpoint: 1 });
    expect(await acknowledge(gone, ...deliveries)).toEqual([
      { webhookId, change: 'disabled', reason: 'gone' },
    ]);
    expect(await endpoint()).toMatchObject({ status: 'disabled', reason: 'gone' });
    for (const { webhook, status } of await webhooks.deliveries())
      expect(status).toBe(webhook === webhookId ? 'failed' : 'pending');
    expect(await webhooks.states()).toEqual({ failed: 3, pending: 3 });
  });

  it('of a test counts towards nothing', async () => {
    await webhooks.test(webhookId);
    expect(await acknowledge(gone, ...(await claimed()))).toEqual([]);
    expect(await endpoint()).toEqual({ status: 'enabled', reason: null, failing: false });
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'failed', response: 410 }]);
  });

  it('is given back as if it had not been claimed', async () => {
    await webhooks.updates(2);
    await acknowledge(failed, ...(await claimed()));
    await webhooks.pass(10);
    const attempts = () =>
      db.query('select id, attempts, last_attempt_at from webhook_deliveries order by id');
    const before = await attempts();
    const deliveries = await claimed();
    await webhooks.queue.release(deliveries.slice(0, 1));
    await webhooks.queue.release(deliveries.slice(1), 60_000);
    expect(await attempts()).toEqual(before);
    expect(await webhooks.deliveries()).toMatchObject([{ due: 0 }, { due: 60 }]);
    expect(messageIds(await claimed())).toEqual(['evt_1']);
  });
});

describe('an endpoint to which all attempts fail', () => {
  const fail = async (count: number): Promise<readonly unknown[]> => {
    await webhooks.updates(count);
    return acknowledge(failed, ...(await claimed()));
  };

  it('is disabled after five days and ten attempts', async () => {
    expect(await fail(5)).toEqual([{ webhookId, change: 'failing', reason: null }]);
    expect(await endpoint()).toEqual({ status: 'enabled', reason: null, failing: true });
    await webhooks.pass(5 * DAY);
    // Five again and three new ones are enough; before there were too few.
    expect(await fail(3)).toEqual([{ webhookId, change: 'disabled', reason: 'failing' }]);
    expect(await endpoint()).toEqual({ status: 'disabled', reason: 'failing', failing: true });
    expect(await webhooks.states()).toEqual({ failed: 8 });
  });

  it('is not after fewer attempts, nor after a shorter time', async () => {
    await fail(9);
    // They were failing before.
    expect(await fail(5)).toEqual([]);
    await db.query('delete from webhook_deliveries');
    await webhooks.pass(5 * DAY - 60);
    expect(await fail(1)).toEqual([]);
    await webhooks.pass(60);
    expect(await fail(1)).toHaveLength(1);
  });

  it('begins anew after a success', async () => {
    await fail(20);
    await webhooks.pass(6 * DAY);
    const [first, ...rest] = await claimed();
    const attempts = [...ended(failed, ...rest), ...ended(delivered, known(first))];
    expect(await webhooks.queue.acknowledge(attempts)).toEqual([{ webhookId, change: 'well', reason: null }]);
    expect(await endpoint()).toEqual({ status: 'enabled', reason: null, failing: false });
    expect(await fail(1)).toEqual([{ webhookId, change: 'failing', reason: null }]);
  });
});

describe('an endpoint is slow', () => {
  const slow = async (): Promise<unknown> => {
    const [row] = await db.query<{ slow: boolean }>('select is_slow as slow from webhooks where id = $1', [
      webhookId,
    ]);
    return row?.slow;
  };
  const attempt = async (
    isSlow: boolean,
    outcome: AttemptOutcome = delivered,
    count = 1,
  ): Promise<unknown> => {
    await webhooks.updates(count);
    await webhooks.queue.acknowledge(
      ended(outcome, ...(await claimed())).map((each) => ({ ...each, isSlow })),
    );
    return slow();
  };

  it('when its last attempt was, whatever became of it', async () => {
    expect(await slow()).toBe(false);
    expect(await attempt(true, failed)).toBe(true);
    await db.query('delete from webhook_deliveries');
    expect(await attempt(true)).toBe(true);
    expect(await attempt(false, failed)).toBe(false);
    await db.query('delete from webhook_deliveries');
    expect(await attempt(false, delivered, 3)).toBe(false);
    expect(await attempt(true)).toBe(true);
  });

  it('by its tests, too, and when it is disabled, which counts towards nothing else', async () => {
    await db.query(
      `update webhooks set status = 'disabled', disabled_reason = 'failing', failing_since = now()`,
    );
    await webhooks.test(webhookId);
    await webhooks.queue.acknowledge(
      ended(failed, ...(await claimed())).map((each) => ({ ...each, isSlow: true })),
    );
    expect(await slow()).toBe(true);
    expect(await endpoint()).toEqual({ status: 'disabled', reason: 'failing', failing: true });
  });

  it.each<[string, WebhookPatch, boolean]>([
    ['no longer at another URL', { url: 'https://other.example/' as WebhookUrl }, false],
    ['still when another description is given', { description: 'x' as FreeText }, true],
  ])('%s', async (_what, patch, expected) => {
    await db.query('update webhooks set is_slow = true');
    await webhooks.patch(webhookId, patch);
    expect(await slow()).toBe(expected);
  });
});

// Two with orders of their own would wait for each other, until PostgreSQL ends one of them after a second.
describe('locks', () => {
  it.each<[string, Record<string, number>, (deliveries: readonly ClaimedDelivery[]) => Promise<unknown>]>([
    ['gives deliveries back', { pending: 3 }, (deliveries) => webhooks.queue.release(deliveries)],
    ['acknowledges attempts', { delivered: 3 }, (deliveries) => acknowledge(delivered, ...deliveries)],
  ])('of whatever %s are taken in the order of the ids of deliveries', async (_what, states, change) => {
    await webhooks.updates(3);
    const deliveries = await claimed();
    // The index of what is pending has them the other way round.
    await db.query(`update webhook_deliveries set next_attempt_at = now() - id * interval '1 second'`);
    await db.query('begin');
    await db.query('select from webhook_deliveries order by id limit 1 for update');
    const changed = change(deliveries.toReversed());
    await db.untilBlocked();
    expect(await db.query('select from webhook_deliveries for update skip locked')).toHaveLength(3);
    await db.query('commit');
    await changed;
    expect(await webhooks.states()).toEqual(states);
  });

  it('of endpoints are taken in one order, whatever has become of the attempts', async () => {
    const second = await webhooks.endpoint({ types: ['pet.deleted'] });
    await webhooks.happen(['pet.updated'], ['pet.deleted']);
    await db.query('update webhooks set failing_since = now()');
    const deliveries = await claimed();
    const attempts = deliveries.flatMap((delivery) =>
      ended(delivery.webhookId === webhookId ? failed : delivered, delivery),
    );
    await db.query('begin');
    await db.query('select from webhooks where id = $1 for update', [webhookId]);
    const acknowledged = webhooks.queue.acknowledge(attempts);
    await db.untilBlocked();
    expect(
      await db.query('select from webhooks where id = $1 for update skip locked', [second]),
    ).toHaveLength(1);
    await db.query('commit');
    await acknowledged;
    expect(await webhooks.states()).toEqual({ pending: 2, delivered: 1 });
  });
});
