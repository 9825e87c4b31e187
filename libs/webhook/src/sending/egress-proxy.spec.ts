import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Receiver } from '@petstore/test-servers';
import { AddressPolicy } from '../address/address-policy.js';
import { closeOpened, openReceiver, openSender, send } from '../testing/test-sender.js';
import type { AttemptOutcome } from './attempt-outcome.js';

const failed = (error: string) => ({ isDelivered: false, error });

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
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  await closeOpened();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

const through = (url: string, policy = new AddressPolicy(), credentials = ''): Promise<AttemptOutcome> =>
  send(
    url,
    openSender({
      policy,
      proxy: `http://${credentials}127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      ca: secure.certificate?.cert ?? '',
      connectTimeoutMs: 2_000,
      resolve: () => Promise.reject(new Error('Names are the business of the proxy.')),
    }),
  );

describe('through an egress proxy', () => {
  it('an endpoint is called over TLS, by a name that only the proxy resolves', async () => {
    expect(await through('https://shop.example/hook')).toEqual({ isDelivered: true, responseStatus: 204 });
    expect(asked).toEqual([['shop.example:443', undefined]]);
    expect(secure.received).toMatchObject([{ path: '/hook', headers: { host: 'shop.example' } }]);
    expect(await through('https://other.example/')).toEqual(failed('tls'));
  });

  it('the proxy is told who asks', async () => {
    await through('https://shop.example:8443/', undefined, 'pets:s%40cret@');
    expect(asked).toEqual([['shop.example:8443', `Basic ${Buffer.from('pets:s@cret').toString('base64')}`]]);
  });

  it('literal addresses inside are refused all the same, and http but to allowed networks', async () => {
    const http = new AddressPolicy({ allowedNetworks: ['10.0.0.0/8'], http: true });
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])
      expect(await through(url)).toEqual(failed('refused_address'));
    expect(await through('http://shop.example/', http)).toEqual(failed('refused_address'));
    expect(asked).toEqual([]);
    await through('http://10.0.0.1/', http);
    expect(asked).toEqual([['10.0.0.1:80', undefined]]);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['denies', (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'), 'refused_address'],
    [
      'denies, as Smokescreen does',
      (socket) => void socket.end('HTTP/1.1 407 No\r\n\r\n'),
      'refused_address',
    ],
    ['cannot connect', (socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'), 'connection'],
    ['closes', (socket) => void socket.end(), 'connection'],
    ['never responds', () => undefined, 'timeout'],
  ])('one that %s has refused the endpoint', async (_what, does, error) => {
    answer = does;
    expect(await through('https://shop.example/')).toEqual(failed(error));
    expect(asked).toHaveLength(1);
  });

  it('one that does not listen has failed', async () => {
    const by = openSender({ policy: new AddressPolicy(), proxy: 'http://127.0.0.1:9' });
    expect(await send('https://shop.example/', by)).toEqual(failed('connection'));
  });
});
