import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ClaimedDelivery, stepAfter, type WebhookId } from '@petstore/webhook';
import { soon } from './soon.js';
import { Subscriptions } from './subscriptions.js';

let shop: Subscriptions;
beforeAll(async () => {
  shop = await Subscriptions.open();
});
afterAll(() => shop.close());

type Change = (deliveries: readonly ClaimedDelivery[], id: WebhookId) => Promise<unknown>;

const KEY_ID = 'key_1';
const delivered = { isDelivered: true, responseStatus: 204 } as const;

/** Who changes several deliveries at a time, and what these are afterwards. */
const changes: readonly (readonly [name: string, states: readonly string[], change: Change])[] = [
  [
    'gives deliveries back',
    ['pending', 'pending', 'pending'],
    (deliveries) => shop.queue.release(deliveries),
  ],
  [
    'settles attempts',
    ['delivered', 'delivered', 'delivered'],
    (deliveries) =>
      shop.queue.settle(
        deliveries.map((delivery) => ({
          delivery,
          outcome: delivered,
          step: stepAfter(delivery, delivered, 0),
        })),
      ),
  ],
  [
    'disables an endpoint',
    ['failed', 'failed', 'failed'],
    (_, id) =>
      shop.feed.stores.webhooks.change({ id, keyId: KEY_ID }, (webhook) => ({
        ...webhook,
        status: 'disabled',
      })),
  ],
  [
    'removes an endpoint',
    [],
    (_, id) => shop.feed.stores.webhooks.remove({ id, keyId: KEY_ID }, () => undefined),
  ],
];

// Two with orders of their own would wait for each other, until PostgreSQL ends one of them after a second.
it.each(changes)('whoever %s locks deliveries in the order of their ids', async (_, states, change) => {
  await shop.reset();
  await shop.key(KEY_ID);
  const id = await shop.endpoint(KEY_ID);
  await shop.updates(3);
  const { deliveries } = await shop.claim();
  const { admin } = shop.feed;
  // The index of what is pending has them the other way round.
  await admin.query(`update webhook_deliveries set next_attempt_at = now() - id * interval '1 second'`);
  await admin.query('begin');
  await admin.query('select from webhook_deliveries order by id limit 1 for update');
  const changed = change(deliveries.toReversed(), id);
  try {
    await soon(async () => {
      const { rows } = await admin.query('select from pg_locks where not granted');
      expect(rows).toHaveLength(1);
    });
    const { rows } = await admin.query('select from webhook_deliveries for update skip locked');
    expect(rows).toHaveLength(3);
  } finally {
    await admin.query('commit');
    await changed;
  }
  expect((await shop.deliveries()).map(({ status }) => status)).toEqual(states);
});
