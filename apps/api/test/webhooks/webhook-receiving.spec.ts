import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Received, Receiver } from '@petstore/test-servers';
import { TEST_EVENT_TYPE } from '@petstore/webhook';
import { Webhook } from 'standardwebhooks';
import type { Client, Reply } from '../support/client.js';
import { requireDocumented } from '../support/documented-events.js';
import { runService, serve } from '../support/running-service.js';
import { addPet } from '../support/shop.js';
import { metricsOf } from '../support/metrics.js';
import { until, untilHolds } from '../support/until.js';

type Told = Readonly<Record<string, unknown>> & { readonly id: number };

const { running, client: shop } = await serve({
  WEBHOOK_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  OPS_PORT: '0',
});
let receiver: Receiver;
/** Of a key without webhooks; `shop` changes animals. */
let client: Client;

const withAReceiver = async (): Promise<void> => {
  receiver = await Receiver.http();
  client = await running.client();
};

const told = ({ text }: Reply): Told => JSON.parse(text) as Told;

async function add(more: object = {}): Promise<{ readonly path: string; readonly secret: string }> {
  const reply = await client.post('/v1/webhooks', { url: receiver.url(), types: ['pet.*'], ...more });
  expect(reply.status).toBe(201);
  const { id, secret } = told(reply);
  return { path: `/v1/webhooks/${id}`, secret: String(secret) };
}

/** The event of a request, as an independent receiver reads it. */
function verified({ body, headers }: Received, secret: string): Told {
  const event = new Webhook(secret).verify(body, headers) as Told & { readonly type: string };
  if (event.type !== TEST_EVENT_TYPE) requireDocumented([event]);
  return event;
}

/** The request number `n`, once it is there. */
async function received(n: number): Promise<Received> {
  await until(() => receiver.received.length >= n);
  const request = receiver.received[n - 1];
  if (request === undefined) throw new Error('There is no such request.');
  return request;
}

/** All deliveries, once none is pending. */
async function settled(path: string): Promise<Told[]> {
  let deliveries: Told[] = [];
  await until(async () => {
    deliveries = JSON.parse((await client.get(`${path}/deliveries`)).text) as Told[];
    return deliveries.every(({ status }) => status !== 'pending');
  });
  return deliveries;
}

const signaturesOf = ({ headers }: Received): number => headers['webhook-signature']?.split(' ').length ?? 0;

describe('a webhook', () => {
  beforeEach(withAReceiver);
  afterEach(() => receiver.close());

  it('delivers a change byte for byte as the feed has it, and says so', async () => {
    const { path, secret } = await add({ types: ['pet.updated'] });
    const petId = await addPet(shop);
    await shop.patch(`/v1/pets/${petId}`, { status: 'sold' });
    const request = await received(1);
    const event = verified(request, secret);
    expect(event).toMatchObject({
      type: 'pet.updated',
      data: { pet: { id: petId, status: 'sold' }, previous: { status: 'available' } },
    });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Petstore-Webhooks/1',
      'webhook-id': `evt_${event.id}`,
    });
    const feed = await shop.get(`/v1/events?after=${event.id - 1}&limit=1`);
    expect(feed.text).toBe(`[${request.body}]`);
    expect(await settled(path)).toMatchObject([
      { eventId: event.id, type: 'pet.updated', status: 'delivered', attempts: 1, responseStatus: 204 },
    ]);
    await until(async () => {
      const metrics = await (await fetch(`${running.service.management ?? ''}/metrics`)).text();
      const isCounted = /petstore_webhook_deliveries_total\{outcome="delivered"\} [1-9]/.test(metrics);
      return isCounted && metrics.includes('petstore_webhook_due 0');
    });
  });

  it('that fails is seen: in the log, and after 15 minutes in the metrics, also those of a new instance', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { path } = await add();
    const webhookId = path.split('/').at(-1) ?? '';
    const linesOf = (message: string) =>
      running.logged(message).filter((line) => line['webhookId'] === webhookId);
    for (let n = 1; n <= 3; n++) await addPet(shop);
    await received(3);
    await until(() => linesOf('webhook failing').length > 0);
    const failing = async (management = ''): Promise<readonly (number | undefined)[]> => {
      const metrics = await metricsOf(management);
      const oldest = metrics.get('petstore_webhook_oldest_pending_seconds') ?? NaN;
      return [metrics.get('petstore_webhook_endpoints_failing'), Math.floor(oldest / 60)];
    };
    expect((await failing(running.service.management))[0]).toBe(0);
    for (const change of [
      `update webhooks set failing_since = now() - interval '16 minutes' where id = $1`,
      `update webhook_deliveries set created_at = now() - interval '20 minutes' where webhook_id = $1`,
    ])
      await running.database.manager.query(change, [webhookId]);
    const another = await running.another({ WORKER: 'off' });
    // A look at the database that takes too long says what the one before has found.
    for (const { management } of [running.service, another])
      await untilHolds(async () => {
        expect(await failing(management)).toEqual([1, 20]);
      });
    receiver.respond = (response) => response.writeHead(204).end();
    const [delivery] = JSON.parse((await client.get(`${path}/deliveries`)).text) as Told[];
    await client.send(`${path}/deliveries/${delivery?.id}/redeliver`, { method: 'POST' });
    await until(() => linesOf('webhook works again').length > 0);
    await untilHolds(async () => {
      expect((await failing(running.service.management))[0]).toBe(0);
    });
    expect(linesOf('webhook failing')).toMatchObject([{ error: 'http_status', responseStatus: 500 }]);
    expect(linesOf('webhook works again')).toHaveLength(1);
  });

  it('delivers nothing to an address inside, unless it is allowed', async () => {
    const { path } = await add();
    // As if the operator had allowed it when it was added.
    const [url, id] = [`http://[::1]:${receiver.port}/`, path.split('/').at(-1)];
    await running.database.manager.query('update webhooks set url = $1 where id = $2', [url, id]);
    await addPet(shop);
    await until(async () => (await client.get(`${path}/deliveries`)).text.includes('"refused_address"'));
    expect(receiver.received).toEqual([]);
  });

  it('delivers orders to the key that placed them alone, unless it manages all', async () => {
    const site = await running.client({ scopes: ['orders:read', 'orders:write', 'webhooks:manage'] });
    const desk = await running.client({ scopes: ['orders:read', 'orders:manage', 'webhooks:manage'] });
    for (const [by, name] of [
      [site, '/site'],
      [desk, '/desk'],
    ] as const)
      await by.post('/v1/webhooks', { url: receiver.url('127.0.0.1', name) });
    const pets = [await addPet(shop), await addPet(shop)];
    await shop.post('/v1/store/orders', { petId: pets[0] });
    await site.post('/v1/store/orders', { petId: pets[1] });
    await received(3);
    const seen = receiver.received.map(({ path, body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { order?: { petId: number } } };
      return `${path} ${type} ${pets.indexOf(data.order?.petId ?? 0)}`;
    });
    expect(seen.sort()).toEqual(['/desk order.placed 0', '/desk order.placed 1', '/site order.placed 1']);
  });

  it('is tested on demand, also while it is disabled, in one attempt', async () => {
    const { path, secret } = await add();
    await client.patch(path, { status: 'disabled' });
    receiver.respond = (response) => response.writeHead(410).end();
    const reply = await client.send(`${path}/test`, { method: 'POST' });
    const { id, ...queued } = told(reply);
    expect([reply.status, queued]).toEqual([
      202,
      { type: 'webhook.test', status: 'pending', attempts: 0, nextAttemptAt: expect.any(String) },
    ]);
    const request = await received(1);
    expect(request.headers['webhook-id']).toBe(`evt_test_${id}`);
    expect(verified(request, secret)).toMatchObject({
      id,
      type: 'webhook.test',
      data: { webhook: { id: Number(path.split('/').at(-1)) } },
    });
    expect(await settled(path)).toMatchObject([{ id, status: 'failed', attempts: 1, responseStatus: 410 }]);
    // A test says nothing of the webhook.
    expect(told(await client.get(path))).not.toHaveProperty('disabledReason');
  });

  it('delivers once more what is asked for, under the same id', async () => {
    const { path, secret } = await add();
    await addPet(shop);
    const first = await received(1);
    const [delivery] = await settled(path);
    const again = await client.send(`${path}/deliveries/${delivery?.id}/redeliver`, { method: 'POST' });
    expect(again.status).toBe(202);
    const second = await received(2);
    expect([second.headers['webhook-id'], second.body]).toEqual([first.headers['webhook-id'], first.body]);
    expect(verified(second, secret)).toEqual(verified(first, secret));
    expect(await settled(path)).toMatchObject([{ id: delivery?.id, status: 'delivered', attempts: 1 }]);
  });

  it('signs with both secrets after a rotation, and with one when nothing is to overlap', async () => {
    const { path, secret } = await add();
    const rotated = told(await client.post(`${path}/rotate-secret`, { overlapHours: 1 }));
    await addPet(shop);
    const both = await received(1);
    expect(signaturesOf(both)).toBe(2);
    for (const each of [secret, String(rotated['secret'])]) expect(verified(both, each)).toHaveProperty('id');
    const last = told(await client.post(`${path}/rotate-secret`, { overlapHours: 0 }));
    await addPet(shop);
    const one = await received(2);
    expect(signaturesOf(one)).toBe(1);
    expect(verified(one, String(last['secret']))).toHaveProperty('id');
    for (const each of [secret, String(rotated['secret'])]) expect(() => verified(one, each)).toThrow();
  });

  it('gets nothing any more when its key is revoked, or it is removed', async () => {
    const revoked = await add();
    const key = await running.administration.create(
      { name: 'other', plan: 'pro', scopes: ['pets:read', 'webhooks:manage'] },
      'tests',
    );
    const other = client.with(key.secret);
    await other.post('/v1/webhooks', { url: receiver.url('127.0.0.1', '/revoked') });
    await addPet(shop);
    await received(2);
    await running.administration.revoke(key.key.id, 'tests');
    await client.delete(revoked.path);
    other.close();
    // Whatever is sent from now on comes before what this one gets.
    const witness = await running.client();
    await witness.post('/v1/webhooks', { url: receiver.url('127.0.0.1', '/witness'), types: ['pet.*'] });
    for (let n = 0; n < 3; n++) await addPet(shop);
    await received(5);
    expect(receiver.received.slice(2).map(({ path }) => path)).toEqual(['/witness', '/witness', '/witness']);
  });

  it('ends what is under way at a shutdown, and gives back the rest', async () => {
    const alone = await runService({ WEBHOOK_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    receiver.respond = (response, { body }) => {
      if (body.includes('Rex')) response.writeHead(204).end();
      // Ends while the service does; the one after it never would.
      else if (body.includes('Max')) setTimeout(() => response.writeHead(204).end(), 500);
    };
    const own = await alone.client();
    expect((await own.post('/v1/webhooks', { url: receiver.url() })).status).toBe(201);
    for (const [count, name] of ['Rex', 'Max', 'Leo'].entries()) {
      expect((await own.post('/v1/pets', { name, categoryId: 1 })).status).toBe(201);
      await received(count + 1);
    }
    await alone.service.close();
    const deliveries = await alone.database.manager.query<object[]>(
      'select status, attempts from webhook_deliveries order by id',
    );
    expect(deliveries).toEqual([
      { status: 'delivered', attempts: 1 },
      { status: 'delivered', attempts: 1 },
      { status: 'pending', attempts: 0 },
    ]);
    await alone.close();
  });
});
