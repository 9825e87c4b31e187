import { gzipSync } from 'node:zlib';
import type { RequestBytes } from './request-sender.js';

/** A kind of request, and what it may cost. */
export interface RequestShape {
  readonly name: string;
  readonly request: RequestBytes;
  /** Status of its response, or all that it may have. */
  readonly status: number | readonly number[];
  /** Most CPU time of the server, as a multiple of what a list of 20 takes. */
  readonly most: number;
}

/** No request may cost more than this many lists of 20. */
export const BUDGET = 5;

/** The same for a large body: a parser in JavaScript takes up to 4.2 ms for 16 KiB. */
const PARSED = 30;

/** Nearly all that the parser takes of header fields, and the service of a body. */
const HEADERS = 15_800;
const TARGET = 8_192;
const BODY = 16_384;
/** Characters of a list of ids. */
const IDS = 4_096;
/** Characters of a parameter that are unescaped. */
const VALUE = 5_997;

/** Additions to be made before, as `again-0`, `again-1`, ...: more than the requests of a round, so that none meets its twin. */
export const REPEATED_ADDITIONS = 64;

interface Parts {
  readonly method?: string;
  readonly target?: string;
  /** Lines of header fields beside Host, without the key's. */
  readonly fields?: readonly string[];
  /** Sent instead of the key's field; `undefined` sends none. */
  readonly authorization?: string | undefined;
  readonly body?: string | Buffer;
}

/** `text` again and again, up to `length` characters. */
const fill = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** So many different short texts, one a line of `form`, as fit into `length` characters. */
function many(length: number, form: (n: string) => string): string[] {
  const all: string[] = [];
  for (let n = 0, size = 0; ; n++) {
    const next = form(n.toString(36));
    size += Buffer.byteLength(next);
    if (size > length) return all;
    all.push(next);
  }
}

const idsFrom = (first: bigint): string =>
  Array.from({ length: 100 }, (_, n) => String(first + BigInt(n))).join(',');
const hundred = idsFrom(1n);
const longest = idsFrom(9_223_372_036_854_775_000n);

/** `text` of ASCII with every character escaped. */
const escaped = (text: string): string =>
  Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');

const chunk = (bytes: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ]);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Each byte in a chunk of its own. */
const byteByByte = (text: string): Buffer =>
  Buffer.concat([...Array.from(text, (char) => chunk(char)), LAST_CHUNK]);

/**
 * The shapes, for one key.
 *
 * @param key with every scope and hardly a limit
 * @param wrongKey that could be one but is not
 * @param cursor of a list without filter
 * @param etag of the list from there
 */
export function requestShapes(given: {
  key: string;
  wrongKey: string;
  cursor: string;
  etag: string;
}): RequestShape[] {
  const { key, wrongKey, cursor, etag } = given;
  const bytesOf = ({
    method = 'GET',
    target = '/v1/pets',
    fields = [],
    body = '',
    ...rest
  }: Parts): Buffer => {
    const authorization = 'authorization' in rest ? rest.authorization : `Bearer ${key}`;
    const lines = [
      `${method} ${target} HTTP/1.1`,
      'Host: petstore.example',
      ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
      ...fields,
    ];
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
  };
  const write = (
    method: string,
    target: string,
    body: string | Buffer,
    fields: readonly string[] = [],
  ): Buffer => {
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    return bytesOf({ method, target, fields: ['Content-Type: application/json', length, ...fields], body });
  };
  const post = (body: string | Buffer, fields?: readonly string[]): Buffer =>
    write('POST', '/v1/pets', body, fields);
  const patch = (body: string, fields?: readonly string[]): Buffer =>
    write('PATCH', '/v1/pets/1', body, fields);
  const order = (body: string): Buffer => write('POST', '/v1/store/orders', body);
  /** One that is refused, so that there are never more. */
  const webhook = (members: string): Buffer => write('POST', '/v1/webhooks', `{"status":"wrong",${members}}`);
  const encoded = (coding: string, body: Buffer): Buffer => post(body, [`Content-Encoding: ${coding}`]);
  const chunked = (body: Buffer, fields: readonly string[] = []): Buffer =>
    bytesOf({
      method: 'POST',
      fields: ['Content-Type: application/json', 'Transfer-Encoding: chunked', ...fields],
      body,
    });
  const shape = (
    name: string,
    status: RequestShape['status'],
    request: RequestBytes,
    most = BUDGET,
  ): RequestShape => ({ name, status, request, most });
  const get = (name: string, status: number, parts: Parts, most?: number): RequestShape =>
    shape(name, status, bytesOf(parts), most);
  /** A body whose outermost object holds this beside a valid animal. */
  const around = (members: string): string => `{"name":"Rex","categoryId":7,"status":"wrong",${members}}`;
  const bodyShape = (name: string, status: number, body: string | Buffer): RequestShape =>
    shape(name, status, post(body), body.length > 1_000 ? PARSED : BUDGET);

  let count = 0;
  const rex = '{"name":"Rex","categoryId":7}';
  const members = (form: (n: string) => string): string => {
    const all = many(BODY - 60, (n) => `${form(n)},`).join('');
    return around(all.slice(0, -1));
  };

  return [
    // Ordinary requests
    get('list of 1', 200, { target: '/v1/pets?limit=1' }, 2),
    get('list of 100', 200, { target: '/v1/pets?limit=100' }),
    get('list by status', 200, { target: '/v1/pets?status=pending' }, 2),
    get('list by category', 200, { target: '/v1/pets?categoryId=7' }, 2),
    get('list by category and status', 200, { target: '/v1/pets?categoryId=7&status=pending' }, 2),
    get('one animal by its id in a list', 200, { target: '/v1/pets?ids=42' }, 2),
    get('100 animals by their ids', 200, { target: `/v1/pets?ids=${hundred}` }),
    get('list from a cursor', 200, { target: `/v1/pets?cursor=${cursor}` }, 2),
    get(
      'list that the client has',
      304,
      { target: `/v1/pets?cursor=${cursor}`, fields: [`If-None-Match: ${etag}`] },
      2,
    ),
    get('one animal', 200, { target: '/v1/pets/1' }, 2),
    get('20 events', 200, { target: '/v1/events' }, 2),
    get('100 events', 200, { target: '/v1/events?limit=100' }),
    get('100 events about animals', 200, { target: '/v1/events?limit=100&resource=pet' }),
    get('no events', 200, { target: '/v1/events?after=latest' }, 2),
    get('events that are still to come', 410, { target: '/v1/events?after=9223372036854775807' }, 2),
    get('the inventory', 200, { target: '/v1/store/inventory' }, 2),
    get('the use of the key', 200, { target: '/v1/usage' }, 2),
    get('a list of categories', 200, { target: '/v1/categories' }, 2),
    get('a list of orders', 200, { target: '/v1/store/orders?status=placed&petId=1' }, 2),
    get('an order that is not there', 404, { target: '/v1/store/orders/1' }, 2),
    shape('an order for an animal that is not there', 409, order('{"petId":9223372036854775807}')),
    // A transaction of TypeORM, as for everything that is read rarely.
    get('a list of webhooks', 200, { target: '/v1/webhooks' }, 3.3),
    get('a webhook that is not there', 404, { target: '/v1/webhooks/9223372036854775807' }, 3.3),
    get('deliveries of a webhook that is not there', 404, { target: '/v1/webhooks/1/deliveries' }, 3),
    shape(
      'a webhook of many types',
      400,
      webhook(`"types":[${fill('"pet.created",', BODY - 100)}"pet.created"]`),
    ),
    shape('a webhook of nested types', 400, webhook(`"types":[${fill('[],', BODY - 100)}[]]`)),
    shape('a webhook of types of escapes', 400, webhook(`"types":["${fill('\\u0061', 3_996)}"]`)),
    shape('a webhook whose URL is long', 400, webhook(`"url":"https://a.example/${fill('é', 2_000)}"`)),
    shape('a webhook whose URL is an address', 400, webhook('"url":"https://[::ffff:127.0.0.1]/"')),
    get('an animal to remove that is not there', 404, { method: 'DELETE', target: '/v1/pets/123456789' }),
    shape('a change of an animal', 200, () => patch(`{"name":"Rex ${count++}"}`)),
    shape('a change of an animal that changes nothing', 200, patch('{"categoryId":1}')),
    shape('a change to another state than is known', 412, patch('{"name":"Mia"}', ['If-Match: "x"'])),
    get('an animal that is not there', 404, { target: '/v1/pets/9223372036854775807' }, 2),
    get('HEAD of a list', 200, { method: 'HEAD' }, 2),
    get('OPTIONS', 204, { method: 'OPTIONS' }, 2),
    get('another method', 405, { method: 'DELETE' }, 2),
    get('an unknown path', 404, { target: '/v1/unknown' }, 2),
    get('a path outside of /v1', 404, { target: '/nowhere' }, 2),
    get('health', 200, { target: '/livez' }, 2),
    get('readiness', 200, { target: '/readyz' }),
    bodyShape('an animal to add', 201, rex),
    // A transaction of three round trips, two for the repetition. Below 5 whatever noise is allowed for.
    shape('an animal to add once', 201, () => post(rex, [`Idempotency-Key: ${count++}`]), 3.3),
    shape(
      'the same once more',
      201,
      () => post(rex, [`Idempotency-Key: again-${count++ % REPEATED_ADDITIONS}`]),
      3.3,
    ),
    shape('an animal to add, asked for', 201, post(rex, ['Expect: 100-continue'])),
    bodyShape('an animal that is none', 400, '{"name":"","categoryId":0,"status":null}'),

    // Credentials
    get('no key', 401, { authorization: undefined }, 2),
    get('a wrong key', 401, { authorization: `Bearer ${wrongKey}` }),
    get('a key of 15 KiB', 401, { authorization: `Bearer ${fill('aB0-', HEADERS)}!` }),
    get('15 KiB of padding after a key', 401, { authorization: `Bearer a${fill('=', HEADERS)}!` }),
    get('15 KiB of spaces before a key', 401, { authorization: `Bearer${fill(' ', HEADERS)}!` }),
    get('another scheme of 15 KiB', 401, { authorization: fill('Basic', HEADERS) }),
    get('the key a hundred times', 401, {
      fields: Array.from({ length: 90 }, () => `Authorization: Bearer ${key}`),
    }),

    // Targets
    get('a long path', 404, { target: `/v1/${fill('a', TARGET - 4)}` }),
    get('a long id', 404, { target: `/v1/pets/${fill('1', TARGET - 9)}` }),
    get('a path of slashes', 404, { target: `/v1${fill('/', TARGET - 3)}` }),
    get('a path of slashes outside of /v1', 404, { target: fill('/', TARGET) }),
    get('a path of dots', 404, { target: `/v1${fill('/..', TARGET - 3)}` }),
    get('a path of percent signs', 404, { target: `/v1/${fill('%', TARGET - 4)}` }),
    get('a path of escapes', 404, { target: `/v1/pets/${fill('%41', TARGET - 11)}` }),
    get('a path of escapes of four bytes', 404, { target: `/v1/pets/${fill('%F0%9F%98%80', 12 * 680)}` }),
    get('a path whose last escape is broken', 404, { target: `/v1/pets/${fill('%41', TARGET - 11)}%` }),
    get('docs: a path of dots', 404, { target: `/docs/a${fill('/..', TARGET - 9)}` }),
    get('docs: a path of dots, escaped', 404, { target: `/docs/${fill('%2e%2e/', TARGET - 9)}` }),
    get('docs: a path of slashes', 404, { target: `/docs${fill('/', TARGET - 6)}` }),
    get('docs: a path of escapes', 404, { target: `/docs/${fill('%41', TARGET - 11)}` }),
    get('an absolute target', 200, { target: 'http://petstore.example/v1/pets' }, 2),
    get('an absolute target of 8 KiB', 404, { target: `http://${fill('a.', TARGET - 20)}/v1/none` }),
    get('an absolute target of user and port', 400, { target: `http://${fill('a:@', TARGET - 20)}/v1/none` }),
    get('a target that is too long', 414, { target: `/v1/pets?a=${fill('a', HEADERS - 200)}` }),
    get('no target at all', 404, { method: 'OPTIONS', target: '*' }),

    // Queries
    get('a query of names', 200, { target: `/v1/pets?${many(TARGET - 10, (n) => `${n}&`).join('')}` }),
    get('a query of names and values', 200, {
      target: `/v1/pets?${many(TARGET - 10, (n) => `${n}=${n}&`).join('')}`,
    }),
    get('a query of ampersands', 200, { target: `/v1/pets?${fill('&', TARGET - 10)}` }),
    get('a query of equals signs', 200, { target: `/v1/pets?${fill('=&', TARGET - 10)}` }),
    get('a query of escapes', 200, { target: `/v1/pets?a=${fill('%41', TARGET - 12)}` }),
    get('a query of percent signs', 200, { target: `/v1/pets?a=${fill('%', TARGET - 12)}` }),
    // URLSearchParams takes about 10 µs for each name and each value that is no UTF-8.
    get('a query of broken escapes', 200, { target: `/v1/pets?${fill('%ff=%fe&', TARGET - 12)}` }, 150),
    get('a query of plus signs', 200, { target: `/v1/pets?a=${fill('+', TARGET - 12)}` }),
    get('a query of question marks', 200, { target: `/v1/pets?${fill('?', TARGET - 12)}` }),
    get('a limit many times', 400, { target: `/v1/pets?${fill('limit=1&', TARGET - 12)}` }),
    get('a limit of 8 KiB', 400, { target: `/v1/pets?limit=${fill('1', TARGET - 16)}` }),
    get('a cursor of 8 KiB', 400, { target: `/v1/pets?cursor=${fill('z', TARGET - 17)}` }),
    get('the longest ids, escaped', 200, { target: `/v1/pets?ids=${escaped(longest)}` }),
    get('ids again and again', 200, { target: `/v1/pets?ids=${fill(`${hundred},`, IDS - 1)}7` }),
    get('ids of 8 KiB', 400, { target: `/v1/pets?ids=${fill('1', TARGET - 14)}` }),
    get('ids of commas', 400, { target: `/v1/pets?ids=${fill(',', TARGET - 14)}` }),
    get('ids of broken escapes', 400, { target: `/v1/pets?ids=${fill('%ff', VALUE)}` }),
    get('all parameters of broken escapes', 400, {
      target: `/v1/pets?${['ids', 'status', 'limit'].map((name) => `${name}=${fill('%ff', VALUE / 3)}`).join('&')}`,
    }),
    get('three wrong parameters', 400, { target: '/v1/pets?limit=0&status=x&cursor=y' }),

    // Header fields
    get('a hundred header fields', 200, { fields: Array.from({ length: 97 }, (_, n) => `X-${n}: ${n}`) }),
    get('many header fields', 431, { fields: many(HEADERS, (n) => `${n}:${n}`) }),
    get('many empty header fields', 431, { fields: many(HEADERS - 4_000, (n) => `${n}:`) }),
    get('one header field many times', 431, { fields: many(HEADERS - 6_000, () => 'a:b') }),
    get('many cookies in fields', 431, { fields: many(HEADERS - 4_000, () => 'Cookie:a') }),
    get('header fields that are too large', 431, { fields: [`X: ${fill('a', 20_000)}`] }),
    get('a long header field', 200, { fields: [`X: ${fill('a', HEADERS)}`] }, 3),
    get('a long cookie', 200, { fields: [`Cookie: ${fill('a=b; ', HEADERS)}`] }, 3),
    get('a long Accept', 200, { fields: [`Accept: ${fill('*/*;q=0.1,', HEADERS)}`] }, 3),
    get('a long Accept-Encoding', 200, { fields: [`Accept-Encoding: ${fill('gzip;q=0.1,', HEADERS)}`] }, 3),
    get('a long Range', 200, { fields: [`Range: bytes=${fill('0-1,', HEADERS)}`] }, 3),
    get('a long X-Forwarded-For', 200, { fields: [`X-Forwarded-For: ${fill('127.0.0.1,', HEADERS)}`] }),
    get('an X-Forwarded-For of commas', 200, { fields: [`X-Forwarded-For: ${fill(',', HEADERS)}`] }),
    get('a long X-Forwarded-For without a key', 401, {
      authorization: undefined,
      fields: [`X-Forwarded-For: ${fill('127.0.0.1, ', HEADERS - 2)}::1`],
    }),
    get('an X-Forwarded-For of commas without a key', 401, {
      authorization: undefined,
      fields: [`X-Forwarded-For: ${fill(',', HEADERS)}`],
    }),
    get('an X-Forwarded-For of digits without a key', 401, {
      authorization: undefined,
      fields: [`X-Forwarded-For: ${fill('1', HEADERS)}`],
    }),
    get('a long traceparent', 200, { fields: [`traceparent: 01-${fill('0', HEADERS)}`] }, 3),
    get('a traceparent of a version to come', 200, {
      fields: [`traceparent: 01-${fill('a', 32)}-${fill('b', 16)}-01-${fill('-', HEADERS - 100)}`],
    }),
    get('a long tracestate', 200, { fields: [`tracestate: ${fill('a=b,', HEADERS)}`] }, 3),
    get('a long X-Request-Id', 200, { fields: [`X-Request-Id: ${fill('pet_live_', HEADERS)}`] }, 3),
    get('a long preflight', 204, {
      method: 'OPTIONS',
      authorization: undefined,
      fields: [
        'Origin: https://a.example',
        'Access-Control-Request-Method: GET',
        `Access-Control-Request-Headers: ${fill('a,', HEADERS - 200)}`,
      ],
    }),
    get('If-None-Match of commas', 200, { fields: [`If-None-Match: ${fill(',', HEADERS)}`] }),
    get('If-None-Match of tags', 200, { fields: [`If-None-Match: ${fill('"",', HEADERS)}`] }),
    get('If-None-Match of weak tags', 200, { fields: [`If-None-Match: ${fill('W/"a" , ', HEADERS)}`] }),
    get('If-None-Match of spaces', 200, { fields: [`If-None-Match: "a"${fill(' \t', HEADERS - 8)}"b"`] }),
    get('If-None-Match of stars', 200, { fields: [`If-None-Match: ${fill('*,', HEADERS)}`] }),
    get('If-None-Match without an end', 200, { fields: [`If-None-Match: "${fill('a', HEADERS)}`] }),

    shape('If-Match of commas', 400, patch('{}', [`If-Match: ${fill(',', HEADERS)}`])),
    shape('If-Match of tags', 400, patch('{}', [`If-Match: ${fill('"",', HEADERS)}`])),
    shape('If-Match of spaces', 400, patch('{}', [`If-Match: "a"${fill(' \t', HEADERS - 8)}"b"`])),
    shape('If-Match without an end', 400, patch('{}', [`If-Match: "${fill('a', HEADERS)}`])),
    shape('If-Match of one long tag', 412, patch('{}', [`If-Match: "${fill('a', HEADERS - 64)}"`])),

    // What is sent with a body
    shape(
      'an Idempotency-Key that is too long',
      400,
      post(rex, [`Idempotency-Key: ${fill('a', HEADERS - 200)}`]),
    ),
    ...Object.entries({
      parameters: fill(';a=b', HEADERS - 100),
      semicolons: fill(';', HEADERS - 100),
      spaces: `;${fill(' \t', HEADERS - 100)}x`,
      'a long parameter': `;${fill('a', HEADERS - 100)}`,
      quotes: `;a="${fill('\\"', HEADERS - 100)}`,
    }).map(([what, rest]) =>
      get(`a Content-Type of ${what}`, 415, {
        method: 'POST',
        fields: [`Content-Type: application/json${rest}`, 'Content-Length: 0'],
      }),
    ),
    get('a Content-Encoding that is not known', 415, {
      method: 'POST',
      fields: [
        'Content-Type: application/json',
        `Content-Encoding: ${fill('gzip, ', HEADERS - 200)}`,
        'Content-Length: 2',
      ],
      body: '{}',
    }),
    get('a body of 1 GB, announced', 413, {
      method: 'POST',
      fields: ['Content-Type: application/json', 'Content-Length: 1000000000'],
    }),
    get('a body with a GET', 200, { fields: [`Content-Length: ${BODY}`], body: fill(' ', BODY) }),
    get('a body without a key', 401, {
      method: 'POST',
      authorization: undefined,
      fields: ['Content-Type: application/json', `Content-Length: ${BODY}`],
      body: fill(' ', BODY),
    }),

    // Bodies
    bodyShape('16 KiB of spaces', 400, fill(' ', BODY)),
    bodyShape('spaces before an animal', 400, fill(' ', BODY - 60) + around('"a":1')),
    bodyShape('16 KiB of opening brackets', 400, fill('[', BODY)),
    bodyShape('16 KiB of opening braces', 400, fill('{"a":', BODY)),
    bodyShape('16 KiB of quotes', 400, fill('"', BODY)),
    bodyShape('a body that is no UTF-8', 400, Buffer.alloc(BODY, 0xff)),
    bodyShape(
      'a body that is no UTF-8 at its end',
      400,
      Buffer.concat([Buffer.from(fill('{"é":1', BODY - 1)), Buffer.from([0xff])]).subarray(-BODY),
    ),
    ...Object.entries<(n: string) => string>({
      'member names': (n) => n,
      'member names with escapes': (n) => `\\u0061${n}`,
      'member names of integers': (n) => String(parseInt(n, 36)),
      'member names beyond ASCII': (n) => `😀${n}`,
      'long member names': (n) => fill(n, 200),
    }).map(([name, form]) =>
      bodyShape(
        name,
        400,
        members((n) => `"${form(n)}":0`),
      ),
    ),
    bodyShape(
      'member names further down',
      400,
      around(
        `"a":{${many(BODY - 70, (n) => `"${n}":0,`)
          .join('')
          .slice(0, -1)}}`,
      ),
    ),
    bodyShape('one long member name', 400, around(`"${fill('a', BODY - 70)}":0`)),
    bodyShape('one long member name of escapes', 400, around(`"${fill('\\u0061', BODY - 70 - 4)}":0`)),
    bodyShape('a member name twice at the end', 400, members((n) => `"${n}":0`).slice(0, -10) + ',"0":1}'),
    bodyShape('objects', 400, around(`"a":[${fill('{},', BODY - 70)}0]`)),
    bodyShape('objects of one member', 400, around(`"a":[${fill('{"a":0},', 8 * 2_030)}0]`)),
    bodyShape('arrays', 400, around(`"a":[${fill('[],', 3 * 5_430)}0]`)),
    bodyShape(
      'arrays 60 deep',
      400,
      around(`"a":[${fill(`${fill('[', 60)}${fill(']', 60)},`, 121 * 134)}0]`),
    ),
    bodyShape(
      'objects 60 deep',
      400,
      around(`"a":[${fill(`${'{"a":'.repeat(60)}0${fill('}', 60)},`, 362 * 44)}0]`),
    ),
    bodyShape('small numbers', 400, around(`"a":[${fill('0,', BODY - 70)}0]`)),
    bodyShape('numbers with exponents', 400, around(`"a":[${fill('1e308,', 6 * 2_700)}0]`)),
    bodyShape('numbers of 17 digits', 400, around(`"a":[${fill('0.12345678901234567,', 20 * 810)}0]`)),
    bodyShape('a number of 16,000 digits', 400, around(`"a":${fill('1234567890', 16_000)}`)),
    bodyShape('a fraction of 16,000 digits', 400, around(`"a":0.${fill('1234567890', 16_000)}`)),
    bodyShape('strings', 400, around(`"a":[${fill('"",', 3 * 5_430)}0]`)),
    bodyShape('a string of escapes', 400, around(`"a":"${fill('\\"', 16_000)}"`)),
    bodyShape('a string of \\u escapes', 400, around(`"a":"${fill('\\u00e9', 16_200)}"`)),
    bodyShape('a string beyond ASCII', 400, around(`"a":"${'😀'.repeat(4_000)}"`)),
    bodyShape('a string of two-byte characters', 400, around(`"a":"${'é'.repeat(8_000)}"`)),
    bodyShape('words', 400, around(`"a":[${fill('null,true,', 10 * 1_620)}0]`)),
    bodyShape('__proto__', 400, around(`"__proto__":[${fill('{"__proto__":0},', 16 * 1_000)}0]`)),
    bodyShape('a name of 16,000 spaces', 400, `{"name":"${fill(' ', 16_000)}","categoryId":1}`),
    bodyShape('a name of 255 invisible characters', 400, `{"name":"${'\u200b'.repeat(255)}","categoryId":1}`),
    bodyShape('a name of 256 emoji', 400, `{"name":"${'😀'.repeat(256)}","categoryId":1}`),
    bodyShape('a name of lone surrogates', 400, `{"name":"${'\\ud800'.repeat(255)}","categoryId":1}`),
    bodyShape('a category of 16,000 zeros', 400, `{"name":"a","categoryId":1${fill('0', 16_000)}1}`),
    ...Object.entries({
      'of a long fraction of zeros': `1.${fill('0', 16_000)}1`,
      'with a long exponent': `1e${fill('9', 16_000)}`,
      'with a long negative exponent': `1e-${fill('9', 16_000)}`,
      'of 0 with a long exponent': `0.${fill('0', 16_000)}`,
    }).map(([what, value]) => bodyShape(`a category ${what}`, 400, `{"name":"a","categoryId":${value}}`)),

    // Encoded bodies, which are not decoded
    shape('gzip: an animal', 415, encoded('gzip', gzipSync(rex))),
    shape('gzip: a bomb', 415, encoded('gzip', gzipSync(Buffer.alloc(1_900_000), { level: 9 }))),
    shape('gzip: too much', 415, encoded('gzip', Buffer.alloc(BODY, 1))),

    // Bodies in pieces
    shape('chunks: an animal', 201, chunked(Buffer.concat([chunk(rex), LAST_CHUNK]))),
    shape('chunks: an animal byte by byte', 201, chunked(byteByByte(rex))),
    // Each chunk is a piece of its own to node's parser and streams: about 2 µs.
    shape('chunks: 16,000 of one byte', 400, chunked(byteByByte(fill(' ', 16_000))), 150),
    shape('chunks: 128 of one byte', 400, chunked(byteByByte(fill(' ', 128)))),
    shape(
      'chunks: extensions',
      400,
      chunked(Buffer.concat([Buffer.from('1;a=b\r\n \r\n'.repeat(900)), LAST_CHUNK])),
      10,
    ),
    shape('chunks: a long extension', 413, chunked(Buffer.from(`1;a=${fill('b', 17_000)}\r\n \r\n`))),
    shape(
      'chunks: trailers',
      // Newer releases of Node.js refuse more of them than fields of a head are kept.
      [201, 431],
      chunked(Buffer.concat([chunk(rex), Buffer.from(`0\r\n${fill('a: b\r\n', 12_000)}\r\n`)])),
    ),
    shape(
      'chunks: long trailers',
      201,
      chunked(Buffer.concat([chunk(rex), Buffer.from(`0\r\n${`a: ${'b'.repeat(145)}\r\n`.repeat(80)}\r\n`)])),
    ),
  ];
}
