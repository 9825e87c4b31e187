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

it('what attempts have shown of an endpoint is kept, by the clock of the database', async () => {
  const state = async (): Promise<unknown> => {
    const [row] = await db.query(
      `select status, disabled_reason as reason, failed_attempts as failed, is_slow as slow,
         round(extract(epoch from now() - failing_since))::int as seconds from webhooks where id = $1`,
      [webhookId],
    );
    return row;
  };
  const attempt = async (outcome: AttemptOutcome, count: number, isSlow = false): Promise<unknown> => {
    await webhooks.updates(count);
    const attempts = ended(outcome, ...(await claimed())).map((each) => ({ ...each, isSlow }));
    return webhooks.queue.acknowledge(attempts);
  };
  const well = { status: 'enabled', reason: null, failed: 0, slow: false, seconds: null };
  expect(await attempt(delivered, 2, true)).toEqual([]);
  expect(await state()).toEqual({ ...well, slow: true });
  expect(await attempt(failed, 5)).toEqual([{ webhookId, change: 'failing', reason: null }]);
  expect(await state()).toEqual({ ...well, failed: 5, seconds: 0 });
  await webhooks.pass(3);
  expect(await attempt(failed, 1, true)).toEqual([]);
  expect(await state()).toEqual({ ...well, failed: 6, slow: true, seconds: 3 });
  await webhooks.pass(5 * DAY);
  expect(await attempt(failed, 0)).toEqual([{ webhookId, change: 'disabled', reason: 'failing' }]);
  expect(await state()).toMatchObject({ status: 'disabled', reason: 'failing', slow: false });
  expect(await webhooks.states()).toEqual({ delivered: 2, failed: 6 });
  await webhooks.patch(webhookId, { status: 'enabled' });
  expect(await attempt(failed, 1)).toEqual([{ webhookId, change: 'failing', reason: null }]);
  expect(await state()).toEqual({ ...well, failed: 1, seconds: 0 });
  await webhooks.pass(6);
  expect(await attempt(delivered, 1)).toEqual([{ webhookId, change: 'well', reason: null }]);
  expect(await state()).toMatchObject({ status: 'enabled', slow: false, seconds: null });
});

it.each<[string, WebhookPatch, boolean]>([
  ['is no longer slow at another URL', { url: 'https://other.example/' as WebhookUrl }, false],
  ['is still slow when another description is given', { description: 'x' as FreeText }, true],
])('an endpoint %s', async (_what, patch, expected) => {
  await db.query('update webhooks set is_slow = true');
  await webhooks.patch(webhookId, patch);
  expect(await db.count('webhooks where is_slow')).toBe(expected ? 1 : 0);
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
