import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { AddressPolicy } from '../address/address-policy.js';
import { closeOpened, openReceiver, openSender, send } from '../testing/test-sender.js';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver(Receiver.http());
});
afterEach(closeOpened);

const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

describe('a request', () => {
  it('is a POST with the fields and the bytes that were given', async () => {
    await send(receiver.url('127.0.0.1', '/hook?a=1'));
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=1',
        body: '{"id":1}',
        headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'content-length': '8' },
      },
    ]);
  });

  it.each([200, 204, 299, 400, 410, 500])('is answered with %i', async (status) => {
    receiver.respond = (response) => response.writeHead(status).end();
    expect(await send(receiver.url())).toEqual({
      ...(status < 300 ? { isDelivered: true } : { isDelivered: false, error: 'http_status' }),
      responseStatus: status,
    });
  });

  it.each([301, 307])('is redirected by nobody: %i', async (status) => {
    const inside = await openReceiver(Receiver.http());
    receiver.respond = (response) => response.writeHead(status, { location: inside.url() }).end();
    expect(await send(receiver.url())).toMatchObject({ isDelivered: false, responseStatus: status });
    expect(inside.connections).toBe(0);
  });

  it.each([
    ['60', 60_000],
    ['9'.repeat(20), 1e23],
    [inAnHour, 3_600_000],
    ['', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
  ])('is told when to come back: %s', async (value, retryAfterMs) => {
    receiver.respond = (response) => response.setHeader('retry-after', value).writeHead(503).end();
    const outcome = await send(receiver.url());
    if (outcome.isDelivered) throw new Error('delivered');
    if (retryAfterMs === undefined) expect(outcome.retryAfterMs).toBeUndefined();
    else expect(Math.abs((outcome.retryAfterMs ?? 0) - retryAfterMs)).toBeLessThan(60_000);
  });

  it('that cannot be sent has failed, and the next one is sent', async () => {
    const by = openSender();
    const message = { url: receiver.url(), headers: { 'webhook-id': 'two\nlines' }, body: '{}' };
    expect(await by.send(message)).toEqual({ isDelivered: false, error: 'connection' });
    expect(await send(receiver.url(), by)).toEqual({ isDelivered: true, responseStatus: 204 });
    expect(receiver.received).toHaveLength(1);
  });

  it('that gets a reset instead of a response has failed, and is not sent again', async () => {
    const by = openSender();
    await send(receiver.url(), by);
    receiver.respond = (_response, _received, socket) => socket.resetAndDestroy();
    expect(await send(receiver.url(), by)).toEqual({ isDelivered: false, error: 'connection' });
    expect([receiver.connections, receiver.received.length]).toEqual([1, 2]);
  });

  it('goes on another connection when the one that was used before was closed meanwhile', async () => {
    const by = openSender();
    receiver.respond = (response) => response.writeHead(204).end();
    await send(receiver.url(), by);
    receiver.respond = (response, _received, socket) => {
      response.writeHead(204).end();
      socket.end();
    };
    await send(receiver.url(), by);
    await waitFor(() => receiver.open === 0);
    expect(await send(receiver.url(), by)).toEqual({ isDelivered: true, responseStatus: 204 });
  });
});

describe('an idle connection', () => {
  const untilOpen = (count: number): Promise<true> => waitFor(() => receiver.open === count);

  it('is used again, for its own endpoint only', async () => {
    const [other, by] = [await openReceiver(Receiver.http()), openSender()];
    for (const url of [receiver.url('one.example'), receiver.url('two.example'), other.url('one.example')])
      await send(url, by);
    expect([receiver.connections, other.connections]).toEqual([2, 1]);
    await send(receiver.url('one.example', '/other'), by);
    expect(receiver.connections).toBe(2);
  });

  it.each(['timeout=1', 'timeout=2, max=5'])(
    'is closed before the server closes it, which says %s',
    async (hint) => {
      receiver.respond = (response) => response.writeHead(204, { 'keep-alive': hint }).end();
      expect(await send(receiver.url())).toMatchObject({ isDelivered: true });
      await untilOpen(0);
    },
  );

  it('that is sent something is closed: it is not the response of the next request', async () => {
    const by = openSender();
    receiver.respond = (response, _received, socket) => {
      response.writeHead(204).end();
      setTimeout(() => socket.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'), 20);
    };
    await send(receiver.url(), by);
    await untilOpen(0);
    expect(await send(receiver.url(), by)).toMatchObject({ isDelivered: true });
    expect(receiver.connections).toBe(2);
  });

  it('is closed with the sender', async () => {
    const by = openSender();
    await send(receiver.url(), by);
    await by.destroy();
    await untilOpen(0);
  });

  it('is one of few, however many endpoints there are', async () => {
    const by = openSender();
    for (let n = 0; n < 300; n++) await send(receiver.url(`${n}.example`), by);
    expect(receiver.open).toBeLessThanOrEqual(260);
  });
});

describe('over TLS', () => {
  const delivered = { isDelivered: true, responseStatus: 204 };
  const failed = (error: string) => ({ isDelivered: false, error });

  it('an endpoint is reached by its name, if its certificate holds for it and has not ended', async () => {
    const secure = await openReceiver(Receiver.https(['shop.example']));
    const by = openSender({ ca: secure.certificate?.cert ?? '' });
    expect(await send(secure.url('shop.example'), by)).toEqual(delivered);
    expect(await send(secure.url('other.example'), by)).toEqual(failed('tls'));
    expect(await send(secure.url('127.0.0.1'), by)).toEqual(failed('tls'));
    // Nobody vouches for it.
    expect(await send(secure.url('shop.example'))).toEqual(failed('tls'));
    expect(secure.received).toHaveLength(1);
    const ended = await openReceiver(Receiver.https(['127.0.0.1'], -1));
    expect(await send(ended.url(), openSender({ ca: ended.certificate?.cert ?? '' }))).toEqual(failed('tls'));
  });

  it('a server that speaks none, or never ends the handshake, has failed', async () => {
    const secureUrl = ({ port }: Receiver): string => `https://127.0.0.1:${port}/`;
    expect(await send(secureUrl(receiver))).toEqual(failed('tls'));
    const silent = await openReceiver(Receiver.tcp(() => undefined));
    expect(await send(secureUrl(silent), openSender({ connectTimeoutMs: 200 }))).toEqual(failed('timeout'));
  });

  it.each(['http', 'https'])(
    'an address that the system does not even try has failed: %s',
    async (protocol) => {
      const policy = new AddressPolicy({ allowedNetworks: ['255.255.255.255/32'], http: true });
      // At once, and not by a time limit.
      const by = openSender({ policy, connectTimeoutMs: 60_000, totalTimeoutMs: 60_000 });
      expect(await send(`${protocol}://255.255.255.255/`, by)).toEqual(failed('connection'));
    },
  );
});
