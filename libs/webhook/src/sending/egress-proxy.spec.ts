import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Receiver } from '@petstore/test-servers';
import { AddressPolicy } from '../address/address-policy.js';
import { closeOpened, openReceiver, openSender, send } from '../testing/test-sender.js';
import type { AttemptOutcome } from './attempt-outcome.js';

/** What the proxy was asked for: authority and credentials. */
let asked: (readonly [string | undefined, string | undefined])[];
let proxy: Server;
/** What it does with a request. */
let answer: (socket: Socket) => void;
let secure: Receiver;
const sockets = new Set<Socket>();

beforeEach(async () => {
  asked = [];
  secure = await openReceiver(Receiver.https(['shop.example']));
  // Every name is the receiver for it.
  answer = (socket) => {
    const endpoint = connect(secure.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      endpoint.pipe(socket).pipe(endpoint);
    });
    endpoint.on('error', () => socket.destroy());
    socket.on('close', () => endpoint.destroy());
  };
  proxy = createServer();
  proxy.on('connection', (socket: Socket) => sockets.add(socket));
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push([request.url, request.headers['proxy-authorization']]);
    socket.on('error', () => undefined);
    answer(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await closeOpened();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

const proxyUrl = (credentials = ''): string =>
  `http://${credentials}127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const through = (
  url: string,
  policy = new AddressPolicy(),
  credentials = '',
  connectTimeoutMs = 60_000,
): Promise<AttemptOutcome> =>
  send(
    url,
    openSender({
      policy,
      proxy: proxyUrl(credentials),
      ca: secure.certificate?.cert ?? '',
      connectTimeoutMs,
      resolve: () => Promise.reject(new Error('Names are the business of the proxy.')),
    }),
  );

const denied = (status: string) => (socket: Socket) => void socket.end(`HTTP/1.1 ${status}\r\n\r\n`);

describe('through an egress proxy', () => {
  it('an endpoint is called over TLS, by a name that only the proxy resolves', async () => {
    expect(await through('https://shop.example/hook')).toEqual({ isDelivered: true, responseStatus: 204 });
    expect(asked).toEqual([['shop.example:443', undefined]]);
    expect(secure.received).toMatchObject([{ path: '/hook', headers: { host: 'shop.example' } }]);
    expect(await through('https://other.example/')).toEqual({ isDelivered: false, error: 'tls' });
  });

  it('the proxy is told who asks', async () => {
    await through('https://shop.example:8443/', undefined, 'pets:s%40cret@');
    expect(asked).toEqual([['shop.example:8443', `Basic ${Buffer.from('pets:s@cret').toString('base64')}`]]);
  });

  it('literal addresses inside are refused all the same, and http but to allowed networks', async () => {
    const http = new AddressPolicy({ allowedNetworks: ['10.0.0.0/8'], http: true });
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])
      expect(await through(url)).toEqual({ isDelivered: false, error: 'refused_address' });
    expect(await through('http://shop.example/', http)).toEqual({
      isDelivered: false,
      error: 'refused_address',
    });
    expect(asked).toEqual([]);
    answer = denied('502 Bad Gateway');
    await through('http://10.0.0.1/', http);
    expect(asked).toEqual([['10.0.0.1:80', undefined]]);
  });

  it.each([
    ['denies', '403 Forbidden', 'refused_address'],
    ['denies, as Smokescreen does', '407 Request rejected by proxy', 'refused_address'],
    ['cannot connect', '502 Bad Gateway', 'connection'],
  ])('one that %s has refused the endpoint', async (_what, status, error) => {
    answer = denied(status);
    expect(await through('https://shop.example/')).toEqual({ isDelivered: false, error });
  });

  it('one that never responds is given up in time', async () => {
    answer = () => undefined;
    const failed = { isDelivered: false, error: 'timeout' };
    expect(await through('https://shop.example/', undefined, '', 200)).toEqual(failed);
  });

  it('one that speaks before the endpoint is called is not believed', async () => {
    answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
    expect(await through('https://shop.example/')).toMatchObject({ isDelivered: false, error: 'connection' });
  });

  it('one that does not listen has failed', async () => {
    const by = openSender({ policy: new AddressPolicy(), proxy: 'http://127.0.0.1:9' });
    expect(await send('https://shop.example/', by)).toEqual({ isDelivered: false, error: 'connection' });
  });
});
