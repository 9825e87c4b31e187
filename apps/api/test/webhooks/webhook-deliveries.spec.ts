import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventNotifier } from '@petstore/event-feed';
import { OutboxStore, UnitOfWork } from '@petstore/persistence';
import { DeliveryNotifier } from '@petstore/webhook';
import type { Client, Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { serve } from '../support/running-service.js';

const PATH = '/v1/webhooks';

type Told = Readonly<Record<string, unknown>> & { readonly id: number };

// Nobody sends or sequences: what a test has made stays as it is.
const { running } = await serve({ WORKER: 'off' });
const sequencing = new OutboxStore(
  new UnitOfWork(running.database, new EventNotifier()),
  new DeliveryNotifier(),
);
let client: Client;
/** A webhook that is new in each test, as it was told when it was added. */
let webhook: Told;
let path: string;

const withAWebhook = async (): Promise<void> => {
  client = await running.client();
  webhook = told(await client.post(PATH, { url: 'https://shop.example/' }));
  path = `${PATH}/${webhook.id}`;
};

const told = ({ text }: Reply): Told => JSON.parse(text) as Told;
const list = (reply: Reply): Told[] => JSON.parse(reply.text) as Told[];
const post = (rest: string): Promise<Reply> => client.send(path + rest, { method: 'POST' });
const sql = <T>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  running.database.manager.query<T[]>(text, [...values]);

const newest = async (): Promise<number> =>
  Number((await sql<{ position: string }>('select position from event_head'))[0]?.position);

/** Adds animals whose events are in the feed. @returns the position of the last one */
async function events(count: number): Promise<number> {
  for (let n = 0; n < count; n++) await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  while ((await sequencing.sequence(1_000)).hasMore);
  return newest();
}

describe('POST /v1/webhooks/{webhookId}/recover', () => {
  beforeEach(withAWebhook);

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
});

describe('POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', () => {
  beforeEach(withAWebhook);

  const deliveries = async (): Promise<Told[]> => list(await client.get(`${path}/deliveries`));
  const redeliver = (id: number | string | undefined, by = client): Promise<Reply> =>
    by.send(`${path}/deliveries/${id}/redeliver`, { method: 'POST' });

  it('is refused for what is no delivery, and while the webhook is disabled, which has failed what was pending', async () => {
    await events(1);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ status: 'pending' });
    expect((await redeliver(delivery?.id)).status).toBe(202);
    await client.patch(path, { status: 'disabled' });
    for (const none of ['0', 'x', '9223372036854775807'])
      expectError(await redeliver(none), 'delivery_not_found');
    expectError(await redeliver(delivery?.id), 'webhook_disabled');
    expect(await deliveries()).toMatchObject([{ id: delivery?.id, status: 'failed' }]);
  });

  it('by another key waits for no lock', async () => {
    await events(1);
    const [delivery] = await deliveries();
    const other = await running.client();
    await running.database.manager.transaction(async (locking) => {
      await locking.query('select from webhook_deliveries where id = $1 for update', [delivery?.id]);
      const replies = await Promise.all(Array.from({ length: 20 }, () => redeliver(delivery?.id, other)));
      for (const reply of replies) expectError(reply, 'webhook_not_found');
    });
  });
});

describe('POST /v1/webhooks/{webhookId}/rotate-secret', () => {
  beforeEach(withAWebhook);

  it('leaves two secrets, one of them current, when many rotate at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => client.post(`${path}/rotate-secret`, {})));
    const hours = await sql(
      `select round(extract(epoch from valid_until - now()) / 3600)::int as hours from webhook_secrets
       where webhook_id = $1 order by id desc`,
      [webhook.id],
    );
    expect(hours).toEqual([{ hours: null }, { hours: 24 }]);
  });

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
});

describe('a webhook', () => {
  beforeEach(withAWebhook);

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/1/redeliver'],
    ['POST', '/recover'],
  ])('of another key is 404 for %s %s', async (method, rest) => {
    const other = await running.client();
    const body = { PATCH: {}, POST: { after: 0 } }[method];
    const sent = body === undefined ? other.send(path + rest, { method }) : undefined;
    expectError(await (sent ?? other.post(path + rest, body, { method })), 'webhook_not_found');
    expect((await other.get(PATH)).text).toBe('[]');
    expect((await client.get(path)).status).toBe(200);
  });
});
