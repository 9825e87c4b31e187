import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryId, DeliveryStatus, WebhookId } from '@petstore/webhook';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { deliveryRetention } from '../src/webhooks/webhook.retention.js';
import { Endpoints, told, type Told } from './endpoints.js';
import { outcomeOf } from './outcomes.js';

let endpoints: Endpoints;
let id: WebhookId;

beforeAll(async () => {
  endpoints = await Endpoints.open();
});
afterAll(() => endpoints.close());
beforeEach(async () => {
  await endpoints.reset();
  id = await endpoints.add('a');
});

const KEY = 'key_0';
const FAR = '9223372036854775807';
const disable = () => endpoints.patch(id, { status: 'disabled' });
const textOf = (json: string | undefined): string => json ?? '';

describe('the deliveries of an endpoint', () => {
  const STATES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed', 'dropped'];
  const page = async (
    status: DeliveryStatus | undefined,
    before?: DeliveryId,
  ): Promise<{ ids: number[]; last: DeliveryId | undefined; more: boolean }> => {
    const found = await endpoints.deliveries.list({ id, keyId: KEY, limit: 3, status, before });
    const { json, last, more } = found ?? { json: '[]', last: undefined, more: false };
    return { ids: (JSON.parse(textOf(json)) as Told[]).map((each) => each.id), last, more };
  };

  it.each([undefined, ...STATES])('are listed newest first, page by page: %s', async (status) => {
    const other = await endpoints.add('b');
    const expected: number[] = [];
    for (let n = 1; n <= 20; n++) {
      const state = STATES[n % 4] ?? 'failed';
      const made = await endpoints.delivery(id, String(n), state);
      await endpoints.delivery(other, String(n), state);
      if (status === undefined || status === state) expected.unshift(Number(made));
    }
    const listed: number[] = [];
    for (let before: DeliveryId | undefined, more = true; more;) {
      const found = await page(status, before);
      listed.push(...found.ids);
      ({ last: before, more } = found);
    }
    expect(listed).toEqual(expected);
  });

  it('are JSON without the members that have no value', async () => {
    await endpoints.delivery(id, '7', 'pending');
    const keyId = KEY;
    const listed = await endpoints.deliveries.list({ id, keyId, limit: 20 });
    expect(JSON.parse(textOf(listed?.json))).toEqual([
      {
        id: 1,
        eventId: 7,
        type: 'pet.updated',
        status: 'pending',
        attempts: 7,
        lastAttemptAt: expect.any(String),
        nextAttemptAt: expect.any(String),
        responseStatus: 503,
        error: 'http_status',
      },
    ]);
    expect(Object.keys(told(await endpoints.deliveries.test({ id, keyId })))).toEqual([
      ...['id', 'type', 'status', 'attempts', 'nextAttemptAt'],
    ]);
  });

  it('are none of an endpoint that has none, and out of reach of other keys', async () => {
    expect(textOf((await endpoints.deliveries.list({ id, keyId: KEY, limit: 20 }))?.json)).toBe('[]');
    expect(await endpoints.deliveries.list({ id, keyId: 'key_1', limit: 20 })).toBeUndefined();
    await endpoints.delivery(id, '1', 'failed');
    expect(await endpoints.deliveries.list({ id, keyId: 'key_1', limit: 20 })).toBeUndefined();
  });

  it('are removed with age, and not before', async () => {
    await endpoints.delivery(id, '1', 'failed');
    await endpoints.rows(`update webhook_deliveries set created_at = now() - interval '30.1 days'`);
    await endpoints.delivery(id, '2', 'failed');
    const { manager } = endpoints.feed.stores.database;
    expect(await removeOldRows(manager, deliveryRetention(30))).toBe(1);
    expect(await endpoints.rows('select position from webhook_deliveries')).toEqual([{ position: '2' }]);
  });
});

describe('a test', () => {
  it('is due at once, also at a disabled endpoint', async () => {
    await disable();
    const delivery = told(await endpoints.deliveries.test({ id, keyId: KEY }));
    expect(delivery).toMatchObject({ type: 'webhook.test', status: 'pending', attempts: 0 });
    expect(await endpoints.rows('select id from webhook_deliveries where next_attempt_at <= now()')).toEqual([
      { id: String(delivery.id) },
    ]);
  });

  it('is none of an endpoint of another key', async () => {
    expect(await endpoints.deliveries.test({ id, keyId: 'key_1' })).toBeUndefined();
    expect(await endpoints.feed.count('webhook_deliveries')).toBe(0);
  });
});

describe('a redelivery', () => {
  const redeliver = (delivery: DeliveryId | string, keyId = KEY): Promise<string | undefined> =>
    endpoints.deliveries.redeliver({ id, keyId }, delivery as DeliveryId);

  it.each(['pending', 'delivered', 'failed', 'dropped'])(
    'makes one that is %s due now, as if it were new',
    async (status) => {
      const position = await endpoints.events(1);
      const delivery = await endpoints.delivery(id, position, status);
      expect(told(await redeliver(delivery))).toEqual({
        id: Number(delivery),
        eventId: Number(position),
        type: 'pet.updated',
        status: 'pending',
        attempts: 0,
        nextAttemptAt: expect.any(String),
      });
      expect(
        await endpoints.rows('select from webhook_deliveries where next_attempt_at <= now()'),
      ).toHaveLength(1);
    },
  );

  it('is refused for what is not there, is a test, belongs to another endpoint, or has lost its event', async () => {
    const other = await endpoints.add('b');
    const position = await endpoints.events(1);
    const candidates = [
      FAR,
      await endpoints.delivery(id, null, 'failed'),
      await endpoints.delivery(other, position, 'failed'),
      await endpoints.delivery(id, '900', 'failed'),
    ];
    for (const delivery of candidates)
      expect(await outcomeOf(redeliver(delivery))).toBe('DeliveryNotFoundError');
    expect(await endpoints.rows(`select from webhook_deliveries where status = 'pending'`)).toEqual([]);
  });

  it('is refused at a disabled endpoint, after what is not there', async () => {
    const delivery = await endpoints.delivery(id, await endpoints.events(1), 'failed');
    await disable();
    expect(await outcomeOf(redeliver(delivery))).toBe('WebhookDisabledError');
    expect(await outcomeOf(redeliver(FAR))).toBe('DeliveryNotFoundError');
    expect(await redeliver(delivery, 'key_1')).toBeUndefined();
  });
});

it('a delivery of another key waits for no lock', async () => {
  const delivery = await endpoints.delivery(id, '7', 'failed');
  const { admin } = endpoints.feed;
  await admin.query('begin');
  await admin.query('select from webhook_deliveries where id = $1 for update', [delivery]);
  const request = { id, keyId: 'key_1' };
  const hidden = Array.from({ length: 20 }, () => endpoints.deliveries.redeliver(request, delivery));
  expect(await Promise.all(hidden)).toEqual(hidden.map(() => undefined));
  await admin.query('rollback');
});
