import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { type RawConnection, rawConnection } from './raw-connection.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const REX = '{"name":"Rex","categoryId":7}';

let running: RunningService;
let client: Client;
let head: string;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await running.issueKey()}\r\n`;
});
afterAll(() => running.close());

const open = (): RawConnection => rawConnection(running.service.origin);

/** What comes for these bytes until there is a whole response. */
async function responseTo(bytes: string | Buffer): Promise<string> {
  const connection = open();
  connection.write(bytes);
  await until(
    () => connection.text.endsWith('}') || connection.socket.readableEnded || connection.socket.closed,
  );
  connection.socket.destroy();
  return connection.text;
}

const JSON_TYPE = 'Content-Type: application/json\r\n';
const chunks = (pieces: readonly string[]): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
const chunked = (pieces: readonly string[]): string =>
  `${head}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${chunks(pieces)}`;
const padded = (count: number): string[] => Array.from(REX.padEnd(count));

describe('a client that waits to be asked for its body', () => {
  const expecting = (fields: string): string => `${head}${fields}Expect: 100-continue\r\n\r\n`;

  it('is asked for one that can be read', async () => {
    const connection = open();
    connection.write(expecting(`${JSON_TYPE}Content-Length: ${REX.length}\r\n`));
    await until(() => connection.text !== '');
    expect(connection.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.write(REX);
    await until(() => connection.text.endsWith('}'));
    expect(connection.text).toContain('HTTP/1.1 201 ');
    connection.socket.destroy();
  });

  it.each([
    ['is too large', `${JSON_TYPE}Content-Length: 16385\r\n`, 413],
    ['is no JSON', 'Content-Type: text/plain\r\nContent-Length: 2\r\n', 415],
    ['is encoded', `${JSON_TYPE}Content-Length: 2\r\nContent-Encoding: gzip\r\n`, 415],
  ])('is not asked for one that %s', async (_what, fields, status) => {
    expect(await responseTo(expecting(fields))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('a body', () => {
  it.each([
    [
      'two pieces, by its length',
      [`${JSON_TYPE}Content-Length: ${REX.length}\r\n\r\n${REX.slice(0, 9)}`, REX.slice(9)],
    ],
    [
      'two chunks',
      [`${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n9\r\n${REX.slice(0, 9)}\r\n`, chunks([REX.slice(9)])],
    ],
    [
      'trailers behind it',
      [`${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`, `${chunks([REX]).slice(0, -2)}a: b\r\n\r\n`],
    ],
  ])('is read with %s', async (_what, [first = '', second = '']) => {
    const connection = open();
    connection.write(head + first);
    await new Promise((resolve) => setTimeout(resolve, 30));
    connection.write(second);
    await until(() => connection.text.endsWith('}'));
    expect(connection.text).toMatch(/^HTTP\/1\.1 201 /);
    connection.socket.destroy();
  });

  it('may come in pieces of any size, up to 16 KiB', async () => {
    for (const count of [128, 16_384])
      expect(await responseTo(chunked(padded(count)))).toMatch(/^HTTP\/1\.1 201 /);
    const reply = await responseTo(chunked(padded(16_385)));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toMatch(/\r\nConnection: close\r\n/);
  });

  it('is not waited for longer than five seconds', async () => {
    const connection = open();
    const began = Date.now();
    connection.write(`${head}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
    const drip = setInterval(() => {
      connection.write(' ');
    }, 500);
    await until(() => connection.text.endsWith('}'));
    clearInterval(drip);
    expect(connection.text).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n[^]*"bad_request"/);
    expect(Date.now() - began).toBeGreaterThan(4_900);
    expect(Date.now() - began).toBeLessThan(8_000);
    connection.socket.destroy();
  });

  it('that its client breaks off leaves nothing behind', async () => {
    const connection = open();
    connection.write(`${head}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    connection.socket.resetAndDestroy();
    await once(connection.socket, 'close');
    expect((await client.post('/v1/pets', REX)).status).toBe(201);
  });

  it.each([
    ['gzip', gzipSync(REX)],
    ['deflate', deflateSync(REX)],
    ['br', brotliCompressSync(REX)],
    ['zstd', REX],
    ['gzip, identity', gzipSync(REX)],
  ] as const)('is refused with the Content-Encoding %s', async (coding, body) => {
    const refused = await client.post('/v1/pets', body, { headers: { 'Content-Encoding': coding } });
    expectError(refused, 'unsupported_media_type');
    expect(refused.headers['accept-encoding']).toBe('identity');
  });

  it.each(['identity', 'Identity', ''])('may say that it is not encoded: %j', async (coding) => {
    expect((await client.post('/v1/pets', REX, { headers: { 'Content-Encoding': coding } })).status).toBe(
      201,
    );
  });
});

describe('header fields', () => {
  const get = (count: number): string =>
    `GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'X: y\r\n'.repeat(count - 2)}\r\n`;

  it('may be a hundred', async () => {
    expect(await client.raw(get(100))).toMatch(/^HTTP\/1\.1 200 /);
    for (const count of [101, 102, 150, 2_000]) {
      const reply = await client.raw(get(count));
      expect(reply).toMatch(/^HTTP\/1\.1 431 /);
      expect(reply).toContain('"headers_too_large"');
    }
  });

  it('If-None-Match names tags, not what stands within one', async () => {
    const { headers } = await client.get('/v1/pets?limit=1');
    const etag = String(headers.etag);
    const asked = async (field: string): Promise<number> =>
      (await client.get('/v1/pets?limit=1', { headers: { 'If-None-Match': field } })).status;
    expect(await asked(`"b", W/${etag}`)).toBe(304);
    expect(await asked('*')).toBe(304);
    expect(await asked('"a,*,b"')).toBe(200);
    expect(await asked(`${'"b",'.repeat(64)}${etag}`)).toBe(200);
  });

  it('X-Request-Id is not taken over when it looks like a key', async () => {
    const id = `order-pet_live_${'0'.repeat(38)}`;
    const { headers } = await client.get('/livez', { headers: { 'X-Request-Id': id } });
    expect(headers['x-request-id']).not.toBe(id);
  });
});

describe('a body in many pieces that no handler reads', () => {
  it('leaves the next one on its connection alone, in the same packet too', async () => {
    const key = await running.issueKey();
    const get = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const post = `${head}${JSON_TYPE}Content-Length: ${REX.length}\r\n\r\n${REX}`;
    const connection = open();
    connection.write(get + chunks(Array.from('x'.repeat(200))) + post);
    await until(() => connection.statuses().length === 2 || connection.socket.destroyed);
    connection.socket.destroy();
    expect(connection.statuses()).toEqual([200, 201]);
  });
});
