import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;
let key: string;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  key = await running.issueKey();
});
afterAll(() => running.close());

function connect(): net.Socket {
  const { hostname, port } = new URL(running.service.origin);
  return net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** Sends the bytes, says that no more will come, and gives back all that comes until the server closes. */
async function exchange(bytes: Buffer): Promise<string> {
  const socket = connect();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The server may close before it has read everything; what it said is what counts.
  socket.on('error', () => undefined);
  socket.setTimeout(8_000, () => socket.destroy(new Error('hang')));
  socket.end(bytes);
  const hung = await Promise.race([
    once(socket, 'close').then(() => false),
    sleep(8_000, true, { ref: false }),
  ]);
  expect(hung).toBe(false);
  return Buffer.concat(chunks).toString('latin1');
}

const token = fc.constantFrom(
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'OPTIONS',
  'CONNECT',
  'get',
  'G E T',
  '',
  '\0',
  'PRI',
);
const target = fc.oneof(
  fc.constantFrom(
    '/v1/pets',
    '/v1/pets/1',
    '/v1/pets/%',
    '*',
    '',
    '/',
    '//',
    'http://x/v1/pets',
    '/v1/pets?limit=%',
    '\\',
    '/..//v1',
  ),
  fc.webPath(),
  fc.string({ maxLength: 30 }),
);
const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP', '');
const field = fc.oneof(
  fc.constantFrom(
    ...[
      'Host: x',
      'Host: x',
      'Host:',
      'Content-Type: application/json',
      'Content-Length: 5',
      'Content-Length: -1',
    ],
    ...[
      'Content-Length: 99999999999999999999',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip',
      'Expect: 100-continue',
    ],
    ...[
      'Connection: close',
      'Connection: Upgrade',
      'Upgrade: h2c',
      'Content-Encoding: gzip',
      ': x',
      'X',
      ' folded',
      'X : y',
    ],
    ...[
      'If-None-Match: *',
      'Idempotency-Key: \x7f',
      'Cookie: a=b',
      'X-Forwarded-For: ,,,',
      'Authorization: Bearer',
      'Range: bytes=0-',
    ],
  ),
  fc.constant('KEY'),
  fc
    .tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 20 }))
    .map(([name, value]) => `${name}: ${value}`),
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '{"name":"a","categoryId":1}',
    '[',
    '5\r\n{"a":\r\n0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '0\r\n\r\n',
  ),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);
const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r');
const request = fc
  .tuple(token, target, version, fc.array(field, { maxLength: 6 }), body, lineEnd)
  .map(([method, path, protocol, fields, content, end]) =>
    [`${method} ${path} ${protocol}`, ...fields, '', content].join(end),
  );

describe('hostile clients', () => {
  it('get a response below 500 or a closed connection for a thousand malformed requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
        const bytes = Buffer.from(
          requests.join('').replaceAll('KEY', `Authorization: Bearer ${key}`),
          'utf8',
        );
        const reply = await exchange(bytes);
        if (reply === '') return;
        expect(reply).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
        expect(reply).not.toMatch(/^HTTP\/1\.1 5/m);
      }),
      { numRuns: 1_000 },
    );
    expect((await client.get('/v1/pets')).status).toBe(200);
  }, 60_000);

  it('do not slow others down with a thousand sockets that send a byte now and then', async () => {
    const slow = Array.from({ length: 1_000 }, () => {
      const socket = connect();
      socket.on('error', () => undefined);
      socket.write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      return socket;
    });
    const dripping = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('a');
    }, 100);
    const times: number[] = [];
    for (let i = 0; i < 100; i++) {
      const began = performance.now();
      expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
      times.push(performance.now() - began);
    }
    clearInterval(dripping);
    for (const socket of slow) socket.destroy();
    times.sort((a, b) => a - b);
    // An ordinary response takes a few milliseconds; a second would mean waiting for another client.
    expect(times[98]).toBeLessThan(1_000);
  }, 60_000);

  it('cannot smuggle a request inside the body of a refused one', async () => {
    const inner = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n';
    const reply = await exchange(
      Buffer.from(
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\nConnection: close\r\n\r\n${inner}`,
      ),
    );
    expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  it('are not waited for when they leave in the middle of a body', async () => {
    const began = Date.now();
    const reply = await exchange(
      Buffer.from(
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
      ),
    );
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('"bad_request"');
    expect(Date.now() - began).toBeLessThan(5_000);
  });

  it('get their responses in order when they pipeline', async () => {
    const get = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const reply = await exchange(
      Buffer.from(
        get('/v1/pets/0') +
          get('/v1/pets?limit=1') +
          get('/livez') +
          get('/v1/pets?limit=0') +
          get('/nowhere'),
      ),
    );
    expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(
      ['404', '200', '200', '400', '404'].map((status) => `HTTP/1.1 ${status}`),
    );
  });
});
