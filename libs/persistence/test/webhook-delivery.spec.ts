import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { Deliverers } from './deliverers.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let shop: Deliverers;
beforeAll(async () => {
  shop = await Deliverers.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());
afterEach(() => shop.end());

const within = (attempt: () => void | Promise<void>): Promise<void> => soon(async () => attempt(), 15_000);

describe('an event', () => {
  it('is delivered to every endpoint, signed, with the bytes of the feed, and written down', async () => {
    const [one, other] = [await shop.receiver(), await shop.receiver()];
    await shop.endpointAt(one);
    await shop.endpointAt(other);
    shop.start();
    await shop.happen(3);
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 6 });
    });
    for (const receiver of [one, other]) {
      expect(shop.verified(receiver).sort()).toEqual(['evt_1', 'evt_2', 'evt_3']);
      expect(receiver.received[0]?.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Petstore-Webhooks/1',
      });
    }
    expect(shop.outcomes).toMatchObject({ delivered: 6 });
    const { rows } = await shop.shop.feed.admin.query<{ json: string }>(
      'select json from events order by position',
    );
    expect(one.received.map(({ body }) => body).sort()).toEqual(rows.map(({ json }) => json).sort());
    expect(await shop.shop.deliveries()).toMatchObject([
      { attempts: 1, response: 204, error: null },
      {},
      {},
      {},
      {},
      {},
    ]);
  });

  it('that was queued by another process is found within seconds', async () => {
    const receiver = await shop.receiver();
    await shop.endpointAt(receiver);
    const stores = await Stores.open({ url: shop.shop.feed.postgres.url });
    shop.start({ stores });
    await shop.happen(1);
    await within(() => {
      expect(shop.verified(receiver)).toEqual(['evt_1']);
    });
    await shop.end();
    await stores.close();
  });

  it('is attempted again after a failure, with the same id and another signature', async () => {
    const receiver = await shop.receiver();
    receiver.respond = (response) => response.writeHead(500).end();
    await shop.endpointAt(receiver);
    shop.start();
    await shop.happen(1);
    await within(async () => {
      expect(await shop.shop.deliveries()).toMatchObject([
        { status: 'pending', attempts: 1, error: 'http_status', response: 500 },
      ]);
    });
    receiver.respond = (response) => response.writeHead(200).end('thank you');
    await shop.shop.pass(6);
    await within(async () => {
      expect(await shop.shop.deliveries()).toMatchObject([
        { status: 'delivered', attempts: 2, error: null, response: 200 },
      ]);
    });
    expect(shop.verified(receiver)).toEqual(['evt_1', 'evt_1']);
    expect(shop.outcomes).toMatchObject({ retried: 1, delivered: 1 });
  });

  it('is delivered by either secret while both hold', async () => {
    const receiver = await shop.receiver();
    await shop.endpointAt(receiver);
    await shop.shop.feed.admin.query(
      `insert into webhook_secrets (webhook_id, sealed, valid_until)
       select webhook_id, sealed, now() + interval '1 hour' from webhook_secrets`,
    );
    shop.start();
    await shop.happen(1);
    await within(() => {
      expect(receiver.received).toHaveLength(1);
    });
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,[^ ]{44} v1,[^ ]{44}$/);
    expect(shop.verified(receiver)).toEqual(['evt_1']);
  });

  it('whose secret cannot be opened is put off, and the endpoint is not to blame', async () => {
    const receiver = await shop.receiver();
    const webhookId = await shop.shop.endpoint('key_1', { url: receiver.url() });
    shop.start();
    await shop.happen(1);
    await within(async () => {
      expect(await shop.shop.deliveries()).toMatchObject([{ status: 'pending', attempts: 0, due: 60 }]);
    });
    expect(shop.lines).toContain('warn: webhook not signed, retrying later');
    expect(receiver.connections).toBe(0);
    const { rows } = await shop.shop.feed.admin.query('select failing_since from webhooks where id = $1', [
      webhookId,
    ]);
    expect(rows).toEqual([{ failing_since: null }]);
  });
});

describe('an endpoint', () => {
  it('that is gone is disabled, and nothing more is sent', async () => {
    const receiver = await shop.receiver();
    receiver.respond = (response) => response.writeHead(410).end();
    await shop.endpointAt(receiver);
    shop.start();
    await shop.happen(1);
    await within(() => {
      expect(shop.lines).toEqual(['info: webhook disabled {"webhookId":"1","reason":"gone"}']);
    });
    await shop.happen(2);
    expect(await shop.states()).toEqual({ failed: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  it('that asks for rest is left alone', async () => {
    const receiver = await shop.receiver();
    receiver.respond = (response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    await shop.endpointAt(receiver);
    shop.start();
    await shop.happen(1);
    await within(async () => {
      const [delivery] = await shop.shop.deliveries();
      expect(delivery?.due).toBeGreaterThan(3_500);
    });
  });

  it('whose key is revoked during deliveries gets nothing more than what was claimed by then', async () => {
    const receiver = await shop.receiver();
    let respond = (response: ServerResponse): unknown => waiting.push(response);
    const waiting: ServerResponse[] = [];
    receiver.respond = (response) => respond(response);
    await shop.endpointAt(receiver);
    shop.start();
    await shop.happenAtOnce(30);
    await within(() => {
      expect(receiver.received).toHaveLength(4);
    });
    await shop.shop.key('key_1', { revokedAt: 'now()' });
    respond = (response) => response.writeHead(204).end();
    for (const response of waiting) respond(response);
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 16, dropped: 14 });
    });
    expect(receiver.received).toHaveLength(16);
    expect(shop.outcomes).toMatchObject({ delivered: 16, dropped: 14 });
  });

  it('gets four at a time at the most', async () => {
    const receiver = await shop.receiver();
    let [active, most] = [0, 0];
    receiver.respond = (response) => {
      most = Math.max(most, ++active);
      setTimeout(() => {
        active--;
        response.writeHead(204).end();
      }, 20);
    };
    await shop.endpointAt(receiver);
    shop.start();
    await shop.happenAtOnce(60);
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 60 });
    });
    expect(most).toBe(4);
  });
});
