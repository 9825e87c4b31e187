import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { anyCharacter, urlPart } from '@petstore/arbitraries';
import fc from 'fast-check';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { LIVE, parseReply, RawConnection } from '../support/raw-connection.js';
import { serveShared } from '../support/running-service.js';
import { until } from '../support/until.js';

const { running, client } = await serveShared();
const key = await running.issueKey();
const serves = async (): Promise<void> => {
  expect((await client.get('/v1/pets')).status).toBe(200);
};

/** After so long without another byte, in milliseconds, a client says that it sends no more. */
const SILENCE_MS = 300;

/** Sends the bytes, says after a while that no more will come, and returns all that comes until the server closes. */
async function exchange(bytes: string | Buffer): Promise<string> {
  const connection = new RawConnection(running.service.origin);
  const { socket } = connection;
  connection.write(bytes);
  let [received, at] = ['', Date.now()];
  await until(() => {
    if (connection.text !== received) [received, at] = [connection.text, Date.now()];
    return socket.readableEnded || socket.closed || Date.now() - at > SILENCE_MS;
  });
  socket.end();
  await connection.ended();
  socket.destroy();
  return connection.text;
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const POST = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\n';

describe('what the HTTP parser refuses', () => {
  afterEach(serves);

  it.each<[string, string | Buffer, string]>([
    ['garbage', 'GARBAGE\r\n\r\n', 'bad_request'],
    ['an unknown method', 'FETCH /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n', 'bad_request'],
    ['a NUL in a header', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 'bad_request'],
    ['a target that is not in ASCII', 'GET /v1/pets?x=é HTTP/1.1\r\nHost: x\r\n\r\n', 'bad_request'],
    ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 'bad_request'],
    [
      'length and chunks',
      `${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'bad_request',
    ],
    ['no Host', 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n', 'bad_request'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 'bad_request'],
    [
      'many header fields of 20 KiB',
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${`X: ${'a'.repeat(500)}\r\n`.repeat(40)}\r\n`,
      'headers_too_large',
    ],
    [
      'one header field of 20 KiB',
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      'headers_too_large',
    ],
    ...[17_000, 200_000].map((length): [string, string, string] => [
      `a target of ${length} bytes`,
      `GET /v1/pets?x=${'a'.repeat(length)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'uri_too_long',
    ]),
  ])('%s has an error of the contract', async (_what, bytes, code) => {
    expectError(parseReply(await client.raw(bytes)), code);
  });

  it('has an id, under which it is logged', async () => {
    const { headers } = parseReply(await client.raw('GARBAGE\r\n\r\n'));
    const lines = running.logged('request refused by the parser');
    expect(lines.at(-1)).toMatchObject({ requestId: headers['x-request-id'], code: 'bad_request' });
  });

  it('is refused after the responses to the requests before it on the connection', async () => {
    const ready = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(statusesIn(await client.raw(`${LIVE}${ready}${LIVE}GARBAGE\r\n\r\n`))).toEqual([
      200, 200, 200, 400,
    ]);
  });

  it.each([
    ['a chunk without a length', 'Transfer-Encoding: chunked\r\n\r\nZZZ\r\n{}\r\n0\r\n\r\n', 'bad_request'],
    [
      'a chunk that is longer than it says',
      'Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n',
      'bad_request',
    ],
    [
      'a chunk with a long extension',
      `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(17_000)}\r\n{}\r\n0\r\n\r\n`,
      'payload_too_large',
    ],
    ['an end before that of the body', 'Content-Length: 100\r\n\r\n{"name":', 'bad_request'],
  ])('%s is refused like any other body', async (_what, rest, code) => {
    const withKey = `${POST}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n${rest}`;
    const refused = parseReply(await exchange(withKey));
    expectError(refused, code);
    expectLimitHeaders(refused);
    expect(refused.headers.connection).toBe('close');
    // Behind another one on its connection.
    const replies = (await exchange(`${LIVE}${withKey}`)).split(/(?=HTTP\/1\.1 )/);
    expect(replies).toHaveLength(2);
    expectLimitHeaders(parseReply(replies[1] ?? ''));
    expectError(parseReply(await exchange(`${POST}${rest}`)), 'missing_api_key');
  });

  it('cannot smuggle a request inside the body of a refused one', async () => {
    const body = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n';
    const reply = await exchange(`${POST}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    expect(statusesIn(reply)).toEqual([401]);
  });
});

describe('a request may have a target of 8,192 bytes and header fields of 16 KiB', () => {
  afterEach(serves);

  const target = (length: number): string => `/livez?x=${'y'.repeat(length - '/livez?x='.length)}`;
  const rest = ' HTTP/1.1\r\nConnection: close\r\nHost: x\r\nX: ';
  const field = (length: number): string =>
    'z'.repeat(length - 'Connection: close\r\nHost: x\r\nX: \r\n'.length);
  const END = '\r\n\r\n';
  const KIB_16 = 16 * 1024;

  it.each<[string, readonly string[], string | undefined]>([
    ['both at once', [`GET ${target(8_192)}`, rest, field(KIB_16), END], undefined],
    ['fields of a byte more', ['GET /livez', rest, field(KIB_16 + 1), END], 'headers_too_large'],
    [
      'both, with a byte more',
      [`GET ${target(8_192)}${rest}${field(KIB_16 + 1)}${END}`],
      'headers_too_large',
    ],
    ['fields of 30 KiB', [`GET /livez${rest}`, field(30_000), END], 'headers_too_large'],
    [
      'a target of a byte more',
      [`GET ${target(4_000)}`, `${'y'.repeat(4_193)}${rest}${END}`],
      'uri_too_long',
    ],
    [
      'a target of 17,000 bytes',
      [`GET ${target(14_000)}`, `${'y'.repeat(3_000)}${rest}${END}`],
      'uri_too_long',
    ],
  ])('%s', async (_what, packets, code) => {
    const connection = new RawConnection(running.service.origin);
    for (const packet of packets) {
      connection.write(packet);
      await sleep(20);
    }
    await connection.ended();
    const reply = parseReply(connection.text);
    if (code === undefined) expect(reply.status).toBe(200);
    else expectError(reply, code);
    connection.socket.destroy();
  });
});

describe('what HTTP allows and few clients do', () => {
  afterEach(serves);

  it.each([
    ['an absolute target', 'GET http://x/livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
    ['HTTP/1.0 without Host', 'GET /livez HTTP/1.0\r\n\r\n', 200],
    [
      'an unknown expectation',
      'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['the server as a whole', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ])('%s has a response', async (_what, bytes, status) => {
    expect(parseReply(await client.raw(bytes)).status).toBe(status);
  });
});

/** What requests are made of: every part as it should be, and as it should not. */
const METHODS = 'GET POST HEAD PUT OPTIONS CONNECT get PRI'.split(' ').concat('G E T', '', '\0');
const TARGETS = '/v1/pets /v1/pets/1 /v1/pets/% * / // http://x/v1/pets /v1/pets?limit=% \\ /..//v1'.split(
  ' ',
);
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP', ''];
const FIELDS = [
  ...['Host: x', 'Host: x', 'Host:', 'Content-Type: application/json', 'Authorization: Bearer KEY'],
  ...['Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99999999999999999999'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Expect: 100-continue'],
  ...['Connection: close', 'Connection: Upgrade', 'Upgrade: h2c', 'Content-Encoding: gzip'],
  ...[': x', 'X', ' folded', 'X : y', 'If-None-Match: *', 'Idempotency-Key: \x7f', 'Cookie: a=b'],
  ...['X-Forwarded-For: ,,,', 'Authorization: Bearer', 'Range: bytes=0-'],
];
const BODIES = [
  ...['', '{}', '{"name":"a","categoryId":1}', '['],
  ...['5\r\n{"a":\r\n0\r\n\r\n', 'ffffffffffffffff\r\n', '0\r\n\r\n'],
];
const request = fc
  .tuple(
    fc.constantFrom(...METHODS),
    fc.oneof(
      fc.constantFrom('', ...TARGETS),
      urlPart.map((part) => `/${part}`),
      fc.string({ maxLength: 30 }),
    ),
    fc.constantFrom(...VERSIONS),
    fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FIELDS) }, fc.string({ maxLength: 30 })), {
      maxLength: 6,
    }),
    fc.oneof(fc.constantFrom(...BODIES), fc.string({ unit: anyCharacter, maxLength: 60 })),
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
  )
  .map(([method, target, version, fields, body, lineEnd]) =>
    [`${method} ${target} ${version}`, ...fields, '', body].join(lineEnd),
  );

describe('malformed requests', () => {
  afterEach(serves);

  it('get responses below 500 or a closed connection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
        const last = LIVE.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
        const reply = await exchange(requests.join('').replaceAll('KEY', key) + last);
        if (reply === '') return;
        expect(reply).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
        expect(reply).not.toMatch(/^HTTP\/1\.1 5/m);
      }),
      { numRuns: 80 },
    );
  }, 60_000);
});
