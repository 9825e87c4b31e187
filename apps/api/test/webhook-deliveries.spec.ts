import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventSignal } from '@petstore/event-feed';
import { SequencingStore, UnitOfWork } from '@petstore/persistence';
import { DeliverySignal } from '@petstore/webhook';
import { Client as PgClient } from 'pg';
import type { Client, Reply } from './client.js';
import { expectError } from './contract.js';
import { linkOf } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';

type Told = Readonly<Record<string, unknown>> & { readonly id: number };

let running: RunningService;
let client: Client;
let sql: PgClient;
let sequencing: SequencingStore;
let path: string;
let webhookId: number;
let shops = 0;

beforeAll(async () => {
  // Nobody sends or sequences: what a test has made stays as it is.
  running = await runService({ WORKER: 'off' });
  sql = new PgClient(running.postgres.url);
  await sql.connect();
  sequencing = new SequencingStore(new UnitOfWork(running.database, new EventSignal()), new DeliverySignal());
});
afterAll(async () => {
  await sql.end();
  await running.close();
});
beforeEach(async () => {
  client = await running.client();
  const reply = await client.post('/v1/webhooks', { url: `https://shop-${++shops}.example/` });
  webhookId = (JSON.parse(reply.text) as Told).id;
  path = `/v1/webhooks/${webhookId}`;
});

const told = ({ text }: Reply): Told => JSON.parse(text) as Told;

/** Deliveries of an event each, of which the first is that of the event `from`. */
async function deliveries(count: number, status: string, from = 1): Promise<number[]> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into webhook_deliveries (webhook_id, position, type, status, attempts)
     select $1, n, 'pet.updated', $2, 10 from generate_series($3::int, $3::int + $4::int - 1) n returning id`,
    [webhookId, status, from, count],
  );
  return rows.map(({ id }) => Number(id));
}

/** Animals whose events are in the feed. @returns the position of the last one */
async function events(count: number): Promise<number> {
  for (let n = 0; n < count; n++) await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  while ((await sequencing.sequence(1_000)).hasMore);
  const { rows } = await sql.query<{ position: string }>('select position from event_head');
  return Number(rows[0]?.position);
}

describe('GET /v1/webhooks/{webhookId}/deliveries', () => {
  it('pages through the deliveries of one status, newest first', async () => {
    const failed = await deliveries(7, 'failed');
    await deliveries(3, 'delivered', 100);
    const listed: number[] = [];
    for (let target: string | undefined = `${path}/deliveries?status=failed&limit=3`; target !== undefined;) {
      const reply: Reply = await client.get(target);
      expect(reply.status).toBe(200);
      listed.push(...(JSON.parse(reply.text) as Told[]).map(({ id }) => id));
      target = linkOf(reply, 'next');
    }
    expect(listed).toEqual(failed.reverse());
    const all = await client.get(`${path}/deliveries`);
    expect(JSON.parse(all.text)).toHaveLength(10);
    expect(all.headers).not.toHaveProperty('link');
    const again = await client.get(`${path}/deliveries`, {
      headers: { 'If-None-Match': String(all.headers.etag) },
    });
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
    const other = await client.post('/v1/webhooks', { url: 'https://other.example/' });
    for (const target of [
      `${path}/deliveries?cursor=${cursor}`,
      `${path}/deliveries?cursor=${cursor}&status=delivered`,
      `/v1/webhooks/${told(other).id}/deliveries?cursor=${cursor}&status=failed`,
      `${path}/deliveries?cursor=x`,
      '/v1/pets?cursor=' + cursor,
    ])
      expectError(await client.get(target), 'invalid_cursor');
    expect((await client.get(`${path}/deliveries?cursor=${cursor}&status=failed`)).status).toBe(200);
  });
});

describe('POST /v1/webhooks/{webhookId}/test', () => {
  it('queues one delivery, also of a disabled webhook', async () => {
    await client.patch(path, { status: 'disabled' });
    const reply = await client.send(`${path}/test`, { method: 'POST' });
    expect(reply.status).toBe(202);
    expect(told(reply)).toEqual({
      id: expect.any(Number),
      type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: expect.any(String),
    });
    expect((await client.get(`${path}/deliveries`)).text).toBe(`[${reply.text}]`);
    const redelivered = `${path}/deliveries/${told(reply).id}/redeliver`;
    expectError(await client.send(redelivered, { method: 'POST' }), 'delivery_not_found');
  });
});

describe('POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', () => {
  const redeliver = (id: number | string): Promise<Reply> =>
    client.send(`${path}/deliveries/${id}/redeliver`, { method: 'POST' });

  it('makes a delivery due as if it were new', async () => {
    const last = await events(1);
    const [delivery] = JSON.parse((await client.get(`${path}/deliveries`)).text) as Told[];
    const id = delivery?.id ?? 0;
    await sql.query(`update webhook_deliveries set status = 'failed', next_attempt_at = null, attempts = 10`);
    const reply = await redeliver(id);
    expect(reply.status).toBe(202);
    expect(told(reply)).toEqual({
      id,
      eventId: last,
      type: 'pet.created',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: expect.any(String),
    });
    await client.patch(path, { status: 'disabled' });
    expectError(await redeliver(id), 'webhook_disabled');
  });

  it.each(['0', 'x', '01', '9223372036854775807', '9223372036854775808'])(
    'knows no delivery %s',
    async (id) => {
      expectError(await redeliver(id), 'delivery_not_found');
    },
  );
});

describe('POST /v1/webhooks/{webhookId}/recover', () => {
  const recover = (after: unknown, by = client): Promise<Reply> => by.post(`${path}/recover`, { after });

  it('queues what was missed, once', async () => {
    const before = await events(1);
    await client.patch(path, { status: 'disabled' });
    await events(5);
    expectError(await recover(before), 'webhook_disabled');
    await client.patch(path, { status: 'enabled' });
    expect(await recover(before)).toMatchObject({ status: 202, text: '{"requeued":5}' });
    expect(await recover(before)).toMatchObject({ status: 202, text: '{"requeued":0}' });
    const listed = JSON.parse((await client.get(`${path}/deliveries?status=pending`)).text) as Told[];
    expect(listed).toHaveLength(5);
    expect(listed[0]).toMatchObject({ eventId: before + 5, type: 'pet.created' });
  });

  it('says where to go on when there is more', async () => {
    const { rows } = await sql.query<{ position: string }>(
      `update event_head set position = position + 600000 returning position - 600000 as position`,
    );
    const before = BigInt(rows[0]?.position ?? 0);
    expect(told(await recover(Number(before)))).toEqual({ requeued: 0, next: Number(before + 500_000n) });
    expect(told(await recover(Number(before + 500_000n)))).toEqual({ requeued: 0 });
  });

  it('is refused from a position that is gone or was never given out', async () => {
    const beyond = await recover(9_000_000_000);
    expectError(beyond, 'position_gone');
    expect(beyond.text).toContain('was never given out');
    await sql.query('update event_head set first = position');
    const gone = await recover(0);
    expectError(gone, 'position_gone');
    expect(gone.text).toContain('no longer kept');
  });

  it.each([undefined, null, -1, 1.5, '7', 1e30])('refuses the position %j', async (after) => {
    const reply = await recover(after);
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain('after must be a whole number from 0');
  });
});
