import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { parseReply } from './raw-connection.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());
afterEach(async () => {
  expect((await client.get('/v1/pets')).status).toBe(200);
});

describe('what the HTTP parser refuses', () => {
  it.each([
    ['garbage', 'GARBAGE\r\n\r\n'],
    ['binary garbage', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['an unknown method', 'FETCH /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET /v1/pets HTTP/4.2\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['a space before the colon', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n'],
    ['a NUL in a header', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['a space in the target', 'GET /v1/pets and more HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a negative length', 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'length and chunks',
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no Host', 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ])('%s is a bad request', async (_what, bytes) => {
    expectError(parseReply(await client.raw(bytes)), 'bad_request');
  });

  it('headers of more than 16 KiB are too large', async () => {
    const fields = Array.from({ length: 40 }, (_, i) => `X-${i}: ${'a'.repeat(500)}\r\n`).join('');
    expectError(
      parseReply(await client.raw(`GET /v1/pets HTTP/1.1\r\nHost: x\r\n${fields}\r\n`)),
      'headers_too_large',
    );
    expectError(
      parseReply(await client.raw(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)),
      'headers_too_large',
    );
  });

  it('a target of more than 16 KiB is too long', async () => {
    for (const length of [17_000, 200_000]) {
      expectError(
        parseReply(await client.raw(`GET /v1/pets?x=${'a'.repeat(length)} HTTP/1.1\r\nHost: x\r\n\r\n`)),
        'uri_too_long',
      );
    }
  });

  it('is refused after the responses to the requests before it on the connection', async () => {
    const live = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
    const ready = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
    const reply = await client.raw(`${live}${ready}${live}GARBAGE\r\n\r\n`);
    expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(
      ['200', '200', '200', '400'].map((status) => `HTTP/1.1 ${status}`),
    );
  });

  it.each([
    ['a chunk without a length', 'Transfer-Encoding: chunked\r\n\r\nZZZ\r\n{}\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n'],
  ])('%s in a body is a bad request', async (_what, rest) => {
    const key = await running.issueKey();
    const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    expectError(parseReply(await client.raw(head + rest)), 'bad_request');
  });

  it('is refused in the same form, or the connection closed, whatever arrives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const reply = await client.raw(Buffer.concat([bytes, Buffer.from('\r\n\r\nGARBAGE\r\n\r\n')]));
        if (reply !== '') expect(parseReply(reply).status).toBe(400);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what HTTP allows and few clients do', () => {
  it.each([
    ['an absolute target', 'GET http://x/livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
    ['HTTP/1.0 without Host', 'GET /livez HTTP/1.0\r\n\r\n', 200],
    [
      'an expectation nobody knows',
      'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      200,
    ],
    [
      'an upgrade',
      'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    ['the server as a whole', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ])('%s is refused', async (_what, bytes, status) => {
    expect(parseReply(await client.raw(bytes)).status).toBe(status);
  });
});
