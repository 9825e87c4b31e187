import { describe, expect, it } from '@jest/globals';
import type { WebhookId } from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import { messageIds, TestWebhooks } from './test-webhooks.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);

describe('a claim', () => {
  it('has all that a request is made of, the bytes of the feed and the secrets, newest first', async () => {
    const webhookId = await webhooks.endpoint({ url: 'https://shop.example/', sealed: Buffer.from('old') });
    await db.query(
      `insert into webhook_secrets (webhook_id, sealed, valid_until)
       values ($1, 'ended', now()), ($1, 'newest', now() + interval '1 hour')`,
      [webhookId],
    );
    await webhooks.updates(1);
    const { deliveries, ...rest } = await webhooks.claim();
    expect(rest).toEqual({ dropped: 0, failed: 0 });
    const [event] = await db.query<{ json: string }>('select json from events');
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
        body: event?.json,
      },
    ]);
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'pending', attempts: 1, due: 30 }]);
  });

  it('belongs to one worker until its lease ends, and to any after that', async () => {
    await webhooks.endpoint();
    await webhooks.updates(3);
    expect(await webhooks.queue.backlog()).toMatchObject({ due: 3 });
    expect(messageIds((await webhooks.claim({ limit: 2 })).deliveries)).toEqual(['evt_1', 'evt_2']);
    expect(await webhooks.queue.backlog()).toMatchObject({ due: 1 });
    expect(messageIds((await webhooks.claim()).deliveries)).toEqual(['evt_3']);
    expect((await webhooks.claim()).deliveries).toEqual([]);
    await webhooks.pass(31);
    const again = await webhooks.claim();
    expect(messageIds(again.deliveries)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(again.deliveries.map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
  });

  it('serves of five endpoints those with the fewest under way, then what has waited longest, four of each', async () => {
    const ids: WebhookId[] = [];
    for (const isSlow of [false, false, false, true, true]) ids.push(await webhooks.endpoint({ isSlow }));
    const [first, second, third, hanging, sluggish] = ids.map((id) => known(id));
    await webhooks.updates(6);
    const held = new Map([
      [known(second), 2],
      [known(hanging), 4],
    ]);
    const order = async (limit: number): Promise<unknown> => {
      // The second one's have waited longest, those of the third least.
      await db.query(
        `update webhook_deliveries set next_attempt_at = now() - position * interval '1 ms'
           - (array[2, 3, 1, 5, 4])[array_position($1::bigint[], webhook_id)] * interval '1 minute'`,
        [ids],
      );
      const { deliveries } = await webhooks.claim({ held, perEndpoint: 4, limit });
      await webhooks.queue.release(deliveries);
      const of = (id: WebhookId | undefined): number =>
        deliveries.filter(({ webhookId }) => webhookId === id).length;
      return [first, second, third, hanging, sluggish].map(of);
    };
    expect(await order(1)).toEqual([1, 0, 0, 0, 1]);
    expect(await order(2)).toEqual([1, 0, 1, 0, 2]);
    expect(await order(5)).toEqual([2, 1, 2, 0, 4]);
    expect(await order(8)).toEqual([3, 2, 3, 0, 4]);
    expect(await order(20)).toEqual([4, 2, 4, 0, 4]);
  });

  it('takes as much of each class as there is room for it', async () => {
    for (const isSlow of [true, false]) for (let n = 0; n < 5; n++) await webhooks.endpoint({ isSlow });
    await webhooks.updates(3);
    const { deliveries } = await webhooks.claim({ perEndpoint: 2, room: { fast: 6, slow: 0 } });
    expect(deliveries.map(({ priorityClass }) => priorityClass)).toEqual(Array(6).fill('fast'));
    const slow = await webhooks.claim({ room: { fast: 0, slow: 8 } });
    expect(slow.deliveries.map(({ priorityClass }) => priorityClass)).toEqual(Array(8).fill('slow'));
  });

  it('is never the same for two who claim at the same time, and nothing is left', async () => {
    for (let n = 0; n < 5; n++) await webhooks.endpoint();
    await webhooks.updates(20);
    const other = await db.open();
    const claimed: string[] = [];
    const claimAll = async (queue = webhooks.queue): Promise<void> => {
      while (claimed.length < 100) {
        const { deliveries } = await webhooks.claim({ limit: 7, perEndpoint: 3 }, queue);
        claimed.push(...deliveries.map(({ id }) => id));
      }
    };
    await Promise.all([claimAll(), claimAll(other.deliveryQueue), claimAll(), claimAll(other.deliveryQueue)]);
    expect(claimed).toHaveLength(100);
    expect(new Set(claimed).size).toBe(100);
  });
});

describe('what may no longer be sent', () => {
  it.each([
    ['revoked', () => webhooks.key('key_1', { revokedAt: 'now()' })],
    ['expired', () => webhooks.key('key_1', { expiresAt: 'now()' })],
    ['without webhooks', () => webhooks.key('key_1', { scopes: ['pets:read'] })],
  ])('is dropped, all at once, when the key is %s', async (_what, narrow) => {
    await webhooks.endpoint();
    await webhooks.updates(10);
    await narrow();
    expect(await webhooks.claim({ perEndpoint: 1 })).toEqual({ deliveries: [], dropped: 10, failed: 0 });
    for (const delivery of await webhooks.deliveries())
      expect(delivery).toMatchObject({ status: 'dropped', attempts: 0, due: null });
  });

  it('is dropped one by one when the key may not read it any more', async () => {
    const scopes = ['webhooks:manage', 'orders:read'];
    await webhooks.key('key_1', { scopes: [...scopes, 'orders:manage', 'pets:read'] });
    await webhooks.endpoint();
    await webhooks.happen(['order.placed', 'key_1'], ['order.placed', 'key_2'], ['pet.updated']);
    await webhooks.key('key_1', { scopes });
    const { deliveries, dropped } = await webhooks.claim();
    expect(messageIds(deliveries)).toEqual(['evt_1']);
    expect(dropped).toBe(2);
    expect(await webhooks.states()).toEqual({ pending: 1, dropped: 2 });
  });

  it('has failed when the endpoint is disabled or removed, all at once', async () => {
    const disabled = await webhooks.endpoint();
    await webhooks.endpoint();
    await webhooks.updates(5);
    await db.query(`update webhooks set status = 'disabled' where id = $1`, [disabled]);
    expect(await webhooks.claim({ perEndpoint: 1, limit: 1 })).toMatchObject({ deliveries: [], failed: 5 });
    expect((await webhooks.claim()).deliveries).toHaveLength(5);
  });

  it('has failed when its event is no longer kept, or when all its attempts were made', async () => {
    await webhooks.endpoint();
    await webhooks.updates(3);
    await db.query('delete from events where position = 1');
    await db.query('update webhook_deliveries set attempts = 10 where position = 2');
    const { deliveries, failed } = await webhooks.claim();
    expect(messageIds(deliveries)).toEqual(['evt_3']);
    expect(failed).toBe(2);
    expect(await webhooks.deliveries()).toMatchObject([
      { status: 'failed', attempts: 0 },
      { status: 'failed', attempts: 10 },
      { status: 'pending', attempts: 1 },
    ]);
  });
});
