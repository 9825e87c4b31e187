import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getEventListeners, getMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { Receiver } from '@petstore/test-servers';
import { WebhookTargets } from '../address/webhook-targets.js';
import { closeOpened, openReceiver, openSender, send } from '../testing/test-sender.js';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver(Receiver.http());
});
afterEach(closeOpened);

describe('a request', () => {
  it('is a POST with the fields and the bytes that were given', async () => {
    expect(await send(receiver.url('127.0.0.1', '/hook?a=1'))).toEqual({
      isDelivered: true,
      responseStatus: 204,
    });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=1',
        body: '{"id":1}',
        headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'content-length': '8' },
      },
    ]);
  });

  it.each([200, 201, 202, 204, 299])('is taken by %i', async (status) => {
    receiver.respond = (response) => response.writeHead(status).end();
    expect(await send(receiver.url())).toEqual({ isDelivered: true, responseStatus: status });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])('has failed by %i', async (status) => {
    receiver.respond = (response) => response.writeHead(status).end('no');
    expect(await send(receiver.url())).toEqual({
      isDelivered: false,
      error: 'http_status',
      responseStatus: status,
    });
  });

  it.each([301, 302, 303, 307, 308])('is redirected by nobody: %i', async (status) => {
    const inside = await openReceiver(Receiver.http());
    receiver.respond = (response) => response.writeHead(status, { location: inside.url() }).end();
    expect(await send(receiver.url())).toMatchObject({ isDelivered: false, responseStatus: status });
    receiver.respond = (response) =>
      response.writeHead(status, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    expect(await send(receiver.url())).toMatchObject({ isDelivered: false, responseStatus: status });
    expect(inside.connections).toBe(0);
  });

  it.each([
    ['60', 60_000],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
    ['-1', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
  ])('is told when to come back: %s', async (value, retryAfterMs) => {
    receiver.respond = (response) => response.writeHead(503, { 'retry-after': value }).end();
    const outcome = await send(receiver.url());
    if (outcome.isDelivered) throw new Error('delivered');
    if (retryAfterMs === undefined) expect(outcome.retryAfterMs).toBeUndefined();
    else expect(Math.abs((outcome.retryAfterMs ?? 0) - retryAfterMs)).toBeLessThan(60_000);
  });

  it('may share the signal that gives it up with any number of others, and leaves nothing behind', async () => {
    const { signal } = new AbortController();
    const by = openSender();
    await Promise.all(Array.from({ length: 30 }, () => send(receiver.url(), by, signal)));
    expect(receiver.received).toHaveLength(30);
    expect(getMaxListeners(signal)).toBe(Infinity);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  describe.each([
    ['closed', (socket: Socket) => void socket.destroy()],
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
  ])('on a connection that was used before and is', (how, end) => {
    it(`${how} while it is idle goes on another one`, async () => {
      const by = openSender();
      for (let n = 0; n < 3; n++) await send(receiver.url(), by);
      expect(receiver.connections).toBe(1);
      let used: Socket | undefined;
      receiver.respond = (response, _received, socket) => {
        used = socket;
        response.writeHead(204).end();
      };
      await send(receiver.url(), by);
      // The client learns of it in the next turn of the event loop.
      if (used !== undefined) end(used);
      expect(await send(receiver.url(), by)).toEqual({ isDelivered: true, responseStatus: 204 });
      expect(receiver.connections).toBe(2);
    });

    it(`${how} instead of a response has failed, and is not sent again`, async () => {
      const by = openSender();
      await send(receiver.url(), by);
      receiver.respond = (_response, _received, socket) => {
        end(socket);
      };
      expect(await send(receiver.url(), by)).toEqual({ isDelivered: false, error: 'connection' });
      expect([receiver.connections, receiver.received.length]).toEqual([1, 2]);
    });
  });
});

describe('over TLS', () => {
  it('an endpoint is reached by its name, if its certificate holds for it', async () => {
    const secure = await openReceiver(Receiver.https(['shop.example']));
    const by = openSender({ ca: secure.certificate?.cert ?? '' });
    expect(await send(secure.url('shop.example'), by)).toEqual({ isDelivered: true, responseStatus: 204 });
    expect(await send(secure.url('other.example'), by)).toEqual({ isDelivered: false, error: 'tls' });
    expect(await send(secure.url('127.0.0.1'), by)).toEqual({ isDelivered: false, error: 'tls' });
    expect(secure.received).toHaveLength(1);
  });

  it('a certificate that nobody vouches for, or that has ended, is not accepted', async () => {
    const secure = await openReceiver(Receiver.https());
    expect(await send(secure.url())).toEqual({ isDelivered: false, error: 'tls' });
    const ended = await openReceiver(Receiver.https(['127.0.0.1'], -1));
    expect(await send(ended.url(), openSender({ ca: ended.certificate?.cert ?? '' }))).toEqual({
      isDelivered: false,
      error: 'tls',
    });
  });

  it('a server that speaks none, or never ends the handshake, has failed', async () => {
    expect(await send(receiver.url().replace('http:', 'https:'))).toEqual({
      isDelivered: false,
      error: 'tls',
    });
    const silent = await openReceiver(Receiver.tcp(() => undefined));
    expect(
      await send(silent.url().replace('http:', 'https:'), openSender({ connectTimeoutMs: 200 })),
    ).toEqual({
      isDelivered: false,
      error: 'timeout',
    });
  });

  it('an address that the system does not even try is a connection that failed', async () => {
    const targets = new WebhookTargets({ allowedNetworks: ['255.255.255.255/32'], http: false });
    const by = openSender({ targets });
    expect(await send('https://255.255.255.255/', by)).toEqual({ isDelivered: false, error: 'connection' });
  });
});
