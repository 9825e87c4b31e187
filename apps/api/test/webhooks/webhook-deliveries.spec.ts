import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventNotifier } from '@petstore/event-feed';
import { OutboxStore, UnitOfWork } from '@petstore/persistence';
import { DeliveryNotifier } from '@petstore/webhook';
import type { Client, Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { linkOf } from '../support/listed-pets.js';
import { runService, type RunningService } from '../support/running-service.js';

const PATH = '/v1/webhooks';

type Told = Readonly<Record<string, unknown>> & { readonly id: number };

let running: RunningService;
let sequencing: OutboxStore;
let client: Client;
/** A webhook that is new in each test, as it was told when it was added. */
let webhook: Told;
let path: string;

beforeAll(async () => {
  // Nobody sends or sequences: what a test has made stays as it is.
  running = await runService({ WORKER: 'off' });
  sequencing = new OutboxStore(new UnitOfWork(running.database, new EventNotifier()), new DeliveryNotifier());
});
afterAll(() => running.close());
beforeEach(async () => {
  client = await running.client();
  webhook = told(await client.post(PATH, { url: 'https://shop.example/' }));
  path = `${PATH}/${webhook.id}`;
});

const told = ({ text }: Reply): Told => JSON.parse(text) as Told;
const list = (reply: Reply): Told[] => JSON.parse(reply.text) as Told[];
const post = (rest: string): Promise<Reply> => client.send(path + rest, { method: 'POST' });
const sql = <T>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  running.database.manager.query<T[]>(text, [...values]);

/** Ids of deliveries of an event each, of which the first is that of the event `from`. */
async function deliveries(count: number, status: string, from = 1): Promise<number[]> {
  const rows = await sql<{ id: string }>(
    `insert into webhook_deliveries (webhook_id, position, type, status, attempts)
     select $1, n, 'pet.updated', $2, 10 from generate_series($3::int, $3::int + $4::int - 1) n returning id`,
    [webhook.id, status, from, count],
  );
  return rows.map(({ id }) => Number(id));
}

const newest = async (): Promise<number> =>
  Number((await sql<{ position: string }>('select position from event_head'))[0]?.position);

/** Adds animals whose events are in the feed. @returns the position of the last one */
async function events(count: number): Promise<number> {
  for (let n = 0; n < count; n++) await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  while ((await sequencing.sequence(1_000)).hasMore);
  return newest();
}

describe('GET /v1/webhooks/{webhookId}/deliveries', () => {
  it('pages through the deliveries of one status, newest first', async () => {
    const failed = await deliveries(7, 'failed');
    await deliveries(3, 'delivered', 100);
    const listed: number[] = [];
    for (let next: string | undefined = `${path}/deliveries?status=failed&limit=3`; next !== undefined;) {
      const reply: Reply = await client.get(next);
      expect(reply.status).toBe(200);
      listed.push(...list(reply).map(({ id }) => id));
      next = linkOf(reply, 'next');
    }
    expect(listed).toEqual(failed.reverse());
    const all = await client.get(`${path}/deliveries`);
    expect(list(all)).toHaveLength(10);
    expect(all.headers).not.toHaveProperty('link');
    const again = await client.get(`${path}/deliveries`, { headers: { 'If-None-Match': all.headers.etag } });
    expect(again.status).toBe(304);
  });

  it.each(['limit=0', 'limit=101', 'status=gone', 'status=', 'status=failed&status=failed'])(
    'refuses %s',
    async (query) => {
      expectError(await client.get(`${path}/deliveries?${query}`), 'invalid_parameter');
    },
  );

  it('refuses a cursor of another list', async () => {
    await deliveries(3, 'failed');
    const page = await client.get(`${path}/deliveries?limit=1&status=failed`);
    const cursor = /cursor=([\w-]+)/.exec(linkOf(page, 'next') ?? '')?.[1] ?? '';
    const other = told(await client.post(PATH, { url: 'https://other.example/' }));
    for (const target of [
      `${path}/deliveries?cursor=${cursor}`,
      `${path}/deliveries?cursor=${cursor}&status=delivered`,
      `${PATH}/${other.id}/deliveries?cursor=${cursor}&status=failed`,
      `${path}/deliveries?cursor=x`,
      `/v1/pets?cursor=${cursor}`,
    ])
      expectError(await client.get(target), 'invalid_cursor');
    expect((await client.get(`${path}/deliveries?cursor=${cursor}&status=failed`)).status).toBe(200);
  });
});

describe('POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', () => {
  it.each([
    ...['0', '01', '9223372036854775807', '9223372036854775808'].map((id) => [id, id]),
    ['of 4,000 digits', '1'.repeat(4_000)],
    ['of escapes that are none', '%zz'.repeat(100)],
  ])('finds no delivery %s', async (_what, id) => {
    expectError(await post(`/deliveries/${id}/redeliver`), 'delivery_not_found');
    // The one that comes first is told.
    const other = `${PATH}/${id}/deliveries/${id}/redeliver`;
    expectError(await client.send(other, { method: 'POST' }), 'webhook_not_found');
  });
});

describe('POST /v1/webhooks/{webhookId}/recover', () => {
  const recover = (after: unknown): Promise<Reply> => client.post(`${path}/recover`, { after });

  it('queues what was missed, once', async () => {
    const before = await events(1);
    await client.patch(path, { status: 'disabled' });
    await events(5);
    expectError(await recover(before), 'webhook_disabled');
    await client.patch(path, { status: 'enabled' });
    expect(await recover(before)).toMatchObject({ status: 202, text: '{"requeued":5}' });
    expect(await recover(before)).toMatchObject({ status: 202, text: '{"requeued":0}' });
    const listed = list(await client.get(`${path}/deliveries?status=pending`));
    expect(listed).toHaveLength(5);
    expect(listed[0]).toMatchObject({ eventId: before + 5, type: 'pet.created' });
  });

  it('says where to go on when there is more', async () => {
    const before = await newest();
    await sql('update event_head set position = position + 600000');
    expect(told(await recover(before))).toEqual({ requeued: 0, next: before + 500_000 });
    expect(told(await recover(before + 500_000))).toEqual({ requeued: 0 });
  });

  it('is refused from a position that is gone or was never given out', async () => {
    await sql('update event_head set position = position + 1, first = position + 1');
    for (const [after, message] of [
      [9_000_000_000, 'was never given out'],
      [0, 'no longer kept'],
    ] as const) {
      const reply = await recover(after);
      expectError(reply, 'position_gone');
      expect(reply.text).toContain(message);
    }
  });

  it.each([undefined, null, -1, 1.5, '7', 1e30])('refuses the position %j', async (after) => {
    const reply = await recover(after);
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain('after must be a whole number from 0');
  });
});

describe('POST /v1/webhooks/{webhookId}/rotate-secret', () => {
  it('gives the webhook with a new secret, with or without a body', async () => {
    const { secret, ...shown } = webhook;
    const replies = [await post('/rotate-secret')];
    for (const body of [{}, { overlapHours: 0 }, { overlapHours: 1.5e2 }])
      replies.push(await client.post(`${path}/rotate-secret`, body));
    const secrets = replies.map((reply) => {
      const { secret: next, ...rest } = told(reply);
      expect([reply.status, reply.headers['cache-control'], rest]).toEqual([200, 'no-store', shown]);
      return next;
    });
    expect(new Set([secret, ...secrets]).size).toBe(5);
  });

  it.each([-1, 168.5, '24', null, true])('refuses an overlap of %j hours', async (overlapHours) => {
    const reply = await client.post(`${path}/rotate-secret`, { overlapHours });
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain('overlapHours must be a number from 0 to 168');
  });
});

describe('a webhook', () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/1/redeliver'],
    ['POST', '/recover'],
  ])('of another key is 404 for %s %s, as is an id that is none', async (method, rest) => {
    const other = await running.client();
    const body = { PATCH: {}, POST: { after: 0 } }[method];
    for (const target of [path, `${PATH}/0`, `${PATH}/x`, `${PATH}/01`, `${PATH}/9223372036854775808`]) {
      const sent = body === undefined ? other.send(target + rest, { method }) : undefined;
      expectError(await (sent ?? other.post(target + rest, body, { method })), 'webhook_not_found');
    }
    expect((await other.get(PATH)).text).toBe('[]');
    expect((await client.get(path)).status).toBe(200);
  });
});
