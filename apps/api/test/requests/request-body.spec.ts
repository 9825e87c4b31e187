import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { RawConnection } from '../support/raw-connection.js';
import { serveShared } from '../support/running-service.js';
import { until } from '../support/until.js';

const REX = '{"name":"Rex","categoryId":7}';
const LIMIT = 16_384;
/** Bodies that stop at the same time: fewer than one key may have under way. */
const STOPPED = 200;
const JSON_TYPE = 'Content-Type: application/json\r\n';

const { running, client } = await serveShared();
const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await running.issueKey()}\r\n`;
let connection: RawConnection;

/** Opens a connection, and sends these parts on it one after the other. */
async function send(...parts: readonly string[]): Promise<void> {
  connection = new RawConnection(running.service.origin);
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(30);
    connection.write(part);
  }
}

/** What comes for these parts until there is a whole response. */
async function responseTo(...parts: readonly string[]): Promise<string> {
  await send(...parts);
  await until(
    () => connection.text.endsWith('}') || connection.socket.readableEnded || connection.socket.closed,
  );
  connection.socket.destroy();
  return connection.text;
}

const chunks = (...pieces: readonly string[]): string =>
  [...pieces, ''].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
const post = (body: string, headers = {}): Promise<Reply> => client.post('/v1/pets', body, { headers });

describe('a client that waits to be asked for its body', () => {
  it('is asked for one that can be read', async () => {
    await send(`${head}${JSON_TYPE}Content-Length: ${REX.length}\r\nExpect: 100-continue\r\n\r\n`);
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
    ['comes with two keys', `${JSON_TYPE}Content-Length: 2\r\nAuthorization: Bearer x\r\n`, 401],
  ])('is not asked for one that %s', async (_what, fields, status) => {
    const response = await responseTo(`${head}${fields}Expect: 100-continue\r\n\r\n`);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('is not asked with a version of HTTP that does not know this', async () => {
    const old = head.replace('HTTP/1.1', 'HTTP/1.0');
    const fields = `${JSON_TYPE}Content-Length: ${REX.length}\r\nExpect: 100-continue\r\n\r\n`;
    expect(await responseTo(`${old}${fields}`, REX)).toMatch(/^HTTP\/1.1 201 /);
  });
});

describe('a body', () => {
  const [first, second] = [REX.slice(0, 9), REX.slice(9)];
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n';

  it.each([
    ['two pieces, by its length', `Content-Length: ${REX.length}\r\n\r\n${first}`, second],
    ['two chunks', `${chunked}9\r\n${first}\r\n`, chunks(second)],
    ['trailers behind it', chunked, `${chunks(REX).slice(0, -2)}a: b\r\n\r\n`],
  ])('is read with %s', async (_what, ...parts) => {
    expect(await responseTo(head + JSON_TYPE + parts[0], parts[1])).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('may have 16 KiB, in one piece or many', async () => {
    const inOne = await post(REX.padEnd(LIMIT));
    expect(inOne.status).toBe(201);
    expectError(await post(REX.padEnd(LIMIT + 1)), 'payload_too_large');
    for (const [length, response] of [
      [128, /^HTTP\/1\.1 201 /],
      [LIMIT, /^HTTP\/1\.1 201 /],
      [LIMIT + 1, /^HTTP\/1\.1 413 /],
    ] as const)
      expect(
        await responseTo(head + JSON_TYPE + chunked + chunks(...Array.from(REX.padEnd(length)))),
      ).toMatch(response);
  });

  it('is waited for at least five seconds, and not for ever, while others are served', async () => {
    const began = Date.now();
    const stopped = Array.from({ length: STOPPED }, () => new RawConnection(running.service.origin));
    for (const each of stopped) each.write(`${head}${JSON_TYPE}Content-Length: 100\r\n\r\n{"na`);
    await send(`${head}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
    const drip = setInterval(() => {
      connection.write(' ');
    }, 500);
    expect((await post(REX)).status).toBe(201);
    await until(() => connection.text.endsWith('}'), 25_000);
    clearInterval(drip);
    expect(connection.text).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n[^]*"bad_request"/);
    expect(Date.now() - began).toBeGreaterThan(4_900);
    connection.socket.destroy();
    await Promise.all(stopped.map((each) => each.ended()));
    for (const { socket } of stopped) socket.destroy();
  });

  it('that its client breaks off leaves nothing behind', async () => {
    await send(`${head}${JSON_TYPE}Content-Length: 100\r\n\r\n{`, ' ');
    connection.socket.resetAndDestroy();
    await once(connection.socket, 'close');
    expect((await post(REX)).status).toBe(201);
  });

  it('in many pieces that no handler reads leaves the next request in the same packet alone', async () => {
    const get = head.replace('POST', 'GET') + chunked + chunks(...Array.from('x'.repeat(200)));
    await send(`${get}${head}${JSON_TYPE}Content-Length: ${REX.length}\r\n\r\n${REX}`);
    await until(() => connection.statuses().length === 2 || connection.socket.destroyed);
    connection.socket.destroy();
    expect(connection.statuses()).toEqual([200, 201]);
  });

  it.each([
    { 'Content-Type': 'application/json; charset=utf-8' },
    { 'Content-Type': 'Application/JSON ; charset="UTF-8"' },
    { 'Content-Type': 'application/json; profile=x; charset="UTF-8" ; a=b;' },
    { 'Content-Type': 'application/json ;charset=utf8' },
    { 'Content-Encoding': 'identity' },
    { 'Content-Encoding': '' },
  ])('is taken with %j', async (headers) => {
    expect((await post(REX, headers)).status).toBe(201);
  });

  it.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/json',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/json; charset=iso-8859-1',
    'application/json; charset',
    'application/json; charset=utf-8; charset=latin1',
    'application/json, application/json',
    `application/json; a=${'b'.repeat(300)}`,
  ])('is refused with the Content-Type %j', async (type) => {
    expectError(await post(REX, { 'Content-Type': type }), 'unsupported_media_type');
  });

  it.each(['gzip', 'zstd', 'gzip, identity'])('is refused with the Content-Encoding %s', async (coding) => {
    const refused = await post(REX, { 'Content-Encoding': coding });
    expectError(refused, 'unsupported_media_type');
    expect(refused.headers['accept-encoding']).toBe('identity');
  });
});

describe('header fields', () => {
  it('may be a hundred', async () => {
    const get = (count: number): Promise<string> =>
      client.raw(
        `GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'X: y\r\n'.repeat(count - 2)}\r\n`,
      );
    expect(await get(100)).toMatch(/^HTTP\/1\.1 200 /);
    for (const count of [101, 102, 150, 2_000])
      expect(await get(count)).toMatch(/^HTTP\/1\.1 431 [^]*"headers_too_large"/);
  });
});
