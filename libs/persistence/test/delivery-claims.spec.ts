import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedDelivery, WebhookId } from '@petstore/webhook';
import { Stores } from './stores.js';
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

const ids = (deliveries: readonly ClaimedDelivery[]): string[] =>
  deliveries.map(({ messageId }) => messageId);

describe('a claim', () => {
  it('has all that a request is made of, the bytes of the feed and the secrets, newest first', async () => {
    const webhookId = await shop.endpoint('key_1', {
      url: 'https://shop.example/',
      sealed: Buffer.from('old'),
    });
    await shop.feed.admin.query(
      `insert into webhook_secrets (webhook_id, sealed, valid_until)
       values ($1, 'ended', now()), ($1, 'newest', now() + interval '1 hour')`,
      [webhookId],
    );
    await shop.updates(1);
    const { deliveries, ...rest } = await shop.claim();
    expect(rest).toEqual({ dropped: 0, failed: 0 });
    const { rows } = await shop.feed.admin.query<{ json: string }>('select json from events');
    expect(deliveries).toMatchObject([
      {
        id: '1',
        webhookId,
        messageId: 'evt_1',
        isTest: false,
        attempt: 1,
        attemptedBefore: null,
        url: 'https://shop.example/',
        sealedSecrets: [Buffer.from('newest'), Buffer.from('old')],
        body: rows[0]?.json,
      },
    ]);
    expect(await shop.deliveries()).toMatchObject([{ status: 'pending', attempts: 1, due: 30 }]);
  });

  it('makes the event of a test, also for an endpoint that is disabled', async () => {
    const webhookId = await shop.endpoint('key_1', { status: 'disabled' });
    await shop.feed.admin.query(
      `insert into webhook_deliveries (webhook_id, type, status, next_attempt_at, created_at)
       values ($1, 'webhook.test', 'pending', now(), '2026-11-21T19:12:07.123456Z')`,
      [webhookId],
    );
    const { deliveries } = await shop.claim();
    expect(deliveries).toMatchObject([{ messageId: 'evt_test_1', isTest: true, attempt: 1 }]);
    expect(deliveries[0]?.body).toBe(
      `{"id":1,"type":"webhook.test","timestamp":"2026-11-21T19:12:07.123Z","data":{"webhook":{"id":${webhookId}}}}`,
    );
  });

  it('belongs to one worker until its lease ends, and to any after that', async () => {
    await shop.endpoint('key_1');
    await shop.updates(3);
    expect(ids((await shop.claim({ limit: 2 })).deliveries)).toEqual(['evt_1', 'evt_2']);
    expect(ids((await shop.claim()).deliveries)).toEqual(['evt_3']);
    expect((await shop.claim()).deliveries).toEqual([]);
    await shop.pass(31);
    const again = await shop.claim();
    expect(ids(again.deliveries)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(again.deliveries.map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
  });

  it('leaves each endpoint with so many deliveries at the most, however much is due', async () => {
    const [one, two, three] = [
      await shop.endpoint('key_1'),
      await shop.endpoint('key_1'),
      await shop.endpoint('key_1'),
    ];
    await shop.updates(20);
    const held = new Map([
      [one, 1],
      [two, 5],
    ]);
    const { deliveries } = await shop.claim({ perEndpoint: 4, held });
    const of = (id: WebhookId): string[] => ids(deliveries.filter(({ webhookId }) => webhookId === id));
    expect(of(one)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(of(two)).toEqual([]);
    expect(of(three)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  });

  it('takes those first whose endpoint has the fewest, however long those of others have waited', async () => {
    const [busy, quiet] = [
      await shop.endpoint('key_1'),
      await shop.endpoint('key_1', { types: ['pet.deleted'] }),
    ];
    await shop.updates(40);
    await shop.happen(['pet.deleted']);
    const held = new Map([[busy, 3]]);
    const first = await shop.claim({ limit: 1, held });
    expect(first.deliveries.map(({ webhookId }) => webhookId)).toEqual([quiet]);
    expect(ids((await shop.claim({ limit: 2, held })).deliveries)).toEqual(['evt_1', 'evt_2']);
  });

  it('takes a bounded number for slow endpoints, and all the same for the others', async () => {
    const slow: WebhookId[] = [];
    for (let n = 0; n < 5; n++) slow.push(await shop.endpoint('key_1'));
    const fast = await shop.endpoint('key_1');
    await shop.updates(3);
    const { deliveries } = await shop.claim({ slow, slowLimit: 4, perSlowEndpoint: 1, limit: 2 });
    expect(deliveries.filter(({ webhookId }) => webhookId === fast)).toHaveLength(2);
    expect(new Set(deliveries.map(({ webhookId }) => webhookId)).size).toBe(5);
    expect(deliveries).toHaveLength(6);
  });

  it('is never the same for two who claim at the same time, and nothing is left', async () => {
    for (let n = 0; n < 5; n++) await shop.endpoint('key_1');
    await shop.updates(40);
    const other = await Stores.open({ url: shop.feed.postgres.url });
    const taken: string[] = [];
    const claimAll = async (queue = shop.queue): Promise<void> => {
      while (taken.length < 200) {
        const claim = await shop.claim({ limit: 7, perEndpoint: 3 }, queue);
        taken.push(...claim.deliveries.map(({ id }) => id));
      }
    };
    await Promise.all([claimAll(), claimAll(other.deliveryQueue), claimAll(), claimAll(other.deliveryQueue)]);
    await other.close();
    expect(taken).toHaveLength(200);
    expect(new Set(taken).size).toBe(200);
  });

  it('takes what a clock that was wrong has put off for years', async () => {
    await shop.endpoint('key_1');
    await shop.updates(2);
    await shop.feed.admin.query(`update webhook_deliveries set next_attempt_at = '2126-01-01' where id = 1`);
    await shop.feed.admin.query(
      `update webhook_deliveries set next_attempt_at = now() + interval '24 hours' where id = 2`,
    );
    expect(ids((await shop.claim()).deliveries)).toEqual(['evt_1']);
  });
});

describe('what may no longer be sent', () => {
  it.each([
    ['revoked', () => shop.key('key_1', { revokedAt: 'now()' })],
    ['expired', () => shop.key('key_1', { expiresAt: 'now()' })],
    ['without webhooks', () => shop.key('key_1', { scopes: ['pets:read'] })],
  ])('is dropped, all at once, when the key is %s', async (_what, narrow) => {
    await shop.endpoint('key_1');
    await shop.updates(10);
    await narrow();
    expect(await shop.claim({ perEndpoint: 1 })).toEqual({ deliveries: [], dropped: 10, failed: 0 });
    for (const delivery of await shop.deliveries())
      expect(delivery).toMatchObject({ status: 'dropped', attempts: 0, due: null });
  });

  it('is dropped one by one when the key may not read it any more', async () => {
    await shop.key('key_1', { scopes: ['webhooks:manage', 'orders:read', 'orders:manage', 'pets:read'] });
    await shop.key('key_2', { scopes: ['orders:read'] });
    await shop.endpoint('key_1');
    await shop.happen(['order.placed', 'key_1'], ['order.placed', 'key_2'], ['pet.updated']);
    await shop.key('key_1', { scopes: ['webhooks:manage', 'orders:read'] });
    const { deliveries, dropped } = await shop.claim();
    expect(ids(deliveries)).toEqual(['evt_1']);
    expect(dropped).toBe(2);
    expect((await shop.deliveries()).map(({ status }) => status)).toEqual(['pending', 'dropped', 'dropped']);
  });

  it('has failed when the endpoint is disabled or removed, all at once', async () => {
    await shop.endpoint('key_1');
    await shop.endpoint('key_1');
    await shop.updates(5);
    await shop.feed.admin.query(`update webhooks set status = 'disabled' where id = 1`);
    expect(await shop.claim({ perEndpoint: 1, limit: 1 })).toMatchObject({ deliveries: [], failed: 5 });
    expect(ids((await shop.claim()).deliveries)).toHaveLength(5);
  });

  it('has failed when its event is no longer kept, or when all its attempts were made', async () => {
    await shop.endpoint('key_1');
    await shop.updates(3);
    await shop.feed.admin.query('delete from events where position = 1');
    await shop.feed.admin.query('update webhook_deliveries set attempts = 10 where position = 2');
    const { deliveries, failed: count } = await shop.claim();
    expect(ids(deliveries)).toEqual(['evt_3']);
    expect(count).toBe(2);
    expect(await shop.deliveries()).toMatchObject([
      { status: 'failed', attempts: 0 },
      { status: 'failed', attempts: 10 },
      { status: 'pending', attempts: 1 },
    ]);
  });
});

describe('what is due', () => {
  it('is counted', async () => {
    await shop.endpoint('key_1');
    await shop.updates(3);
    expect(await shop.queue.due()).toBe(3);
    await shop.claim({ limit: 1 });
    expect(await shop.queue.due()).toBe(2);
  });
});
