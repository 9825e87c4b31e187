/** A kind of request, and what it may cost. */
export interface RequestShape {
  readonly name: string;
  readonly request: Buffer;
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
 */
export function requestShapes({ key, wrongKey }: { key: string; wrongKey: string }): RequestShape[] {
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
  /** One that is refused, so that there are never more. */
  const webhook = (members: string): Buffer => write('POST', '/v1/webhooks', `{"status":"wrong",${members}}`);
  const chunked = (body: Buffer, fields: readonly string[] = []): Buffer =>
    bytesOf({
      method: 'POST',
      fields: ['Content-Type: application/json', 'Transfer-Encoding: chunked', ...fields],
      body,
    });
  const shape = (
    name: string,
    status: RequestShape['status'],
    request: Buffer,
    most = BUDGET,
  ): RequestShape => ({ name, status, request, most });
  const get = (name: string, status: number, parts: Parts, most?: number): RequestShape =>
    shape(name, status, bytesOf(parts), most);
  /** A body whose outermost object holds this beside a valid animal. */
  const around = (members: string): string => `{"name":"Rex","categoryId":7,"status":"wrong",${members}}`;
  const bodyShape = (name: string, status: number, body: string | Buffer): RequestShape =>
    shape(name, status, post(body), body.length > 1_000 ? PARSED : BUDGET);

  const rex = '{"name":"Rex","categoryId":7}';
  const members = (form: (n: string) => string): string => {
    const all = many(BODY - 60, (n) => `${form(n)},`).join('');
    return around(all.slice(0, -1));
  };

  return [
    // Credentials
    get('a wrong key', 401, { authorization: `Bearer ${wrongKey}` }),
    get('a key of 15 KiB', 401, { authorization: `Bearer ${fill('aB0-', HEADERS)}!` }),
    get('15 KiB of padding after a key', 401, { authorization: `Bearer a${fill('=', HEADERS)}!` }),
    get('15 KiB of spaces before a key', 401, { authorization: `Bearer${fill(' ', HEADERS)}!` }),
    get('another scheme of 15 KiB', 401, { authorization: fill('Basic', HEADERS) }),

    // Targets
    get('a long id', 404, { target: `/v1/pets/${fill('1', TARGET - 9)}` }),
    get('a path of slashes', 404, { target: `/v1${fill('/', TARGET - 3)}` }),
    get('a path of percent signs', 404, { target: `/v1/${fill('%', TARGET - 4)}` }),
    get('a path whose last escape is broken', 404, { target: `/v1/pets/${fill('%41', TARGET - 11)}%` }),
    get('docs: a path of dots, escaped', 404, { target: `/docs/${fill('%2e%2e/', TARGET - 9)}` }),
    get('an absolute target of 8 KiB', 404, { target: `http://${fill('a.', TARGET - 20)}/v1/none` }),
    get('an absolute target of user and port', 400, { target: `http://${fill('a:@', TARGET - 20)}/v1/none` }),
    get('a target that is too long', 414, { target: `/v1/pets?a=${fill('a', HEADERS - 200)}` }),

    // Queries
    get('a query of names', 200, { target: `/v1/pets?${many(TARGET - 10, (n) => `_${n}&`).join('')}` }),
    get('a query of a long name', 400, { target: `/v1/pets?${fill('limit', TARGET - 10)}` }),
    get('a query of escapes', 200, { target: `/v1/pets?_=${fill('%41', TARGET - 12)}` }),
    // URLSearchParams takes about 10 µs for each name and each value that is no UTF-8.
    get('a query of broken escapes', 200, { target: `/v1/pets?${fill('_%ff=%fe&', TARGET - 12)}` }, 150),
    get('a limit many times', 400, { target: `/v1/pets?${fill('limit=1&', TARGET - 12)}` }),
    get('a limit of 8 KiB', 400, { target: `/v1/pets?limit=${fill('1', TARGET - 16)}` }),
    get('a cursor of 8 KiB', 400, { target: `/v1/pets?cursor=${fill('z', TARGET - 17)}` }),
    get('the longest ids, escaped', 200, { target: `/v1/pets?ids=${escaped(longest)}` }),
    get('ids again and again', 200, { target: `/v1/pets?ids=${fill(`${hundred},`, IDS - 1)}7` }),
    get('ids of commas', 400, { target: `/v1/pets?ids=${fill(',', TARGET - 14)}` }),

    // Header fields
    get('a hundred header fields', 200, { fields: Array.from({ length: 97 }, (_, n) => `X-${n}: ${n}`) }),
    get('many header fields', 431, { fields: many(HEADERS, (n) => `${n}:${n}`) }),
    get('header fields that are too large', 431, { fields: [`X: ${fill('a', 20_000)}`] }),
    get('a long X-Forwarded-For without a key', 401, {
      authorization: undefined,
      fields: [`X-Forwarded-For: ${fill('127.0.0.1, ', HEADERS - 2)}::1`],
    }),
    get('an X-Forwarded-For of commas without a key', 401, {
      authorization: undefined,
      fields: [`X-Forwarded-For: ${fill(',', HEADERS)}`],
    }),
    get('a traceparent of a version to come', 200, {
      fields: [`traceparent: 01-${fill('a', 32)}-${fill('b', 16)}-01-${fill('-', HEADERS - 100)}`],
    }),
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
    shape('If-Match of spaces', 400, patch('{}', [`If-Match: "a"${fill(' \t', HEADERS - 8)}"b"`])),
    shape('If-Match without an end', 400, patch('{}', [`If-Match: "${fill('a', HEADERS)}`])),
    shape('a long Idempotency-Key', 400, post(rex, [`Idempotency-Key: ${fill('a', HEADERS - 200)}`])),
    ...[
      fill(';a=b', HEADERS - 100),
      `;${fill(' \t', HEADERS - 100)}x`,
      `;a="${fill('\\"', HEADERS - 100)}`,
    ].map((rest) =>
      get(`a Content-Type with ${rest.slice(0, 4)}...`, 415, {
        method: 'POST',
        fields: [`Content-Type: application/json${rest}`, 'Content-Length: 0'],
      }),
    ),

    // Bodies
    get('a body of 1 GB, announced', 413, {
      method: 'POST',
      fields: ['Content-Type: application/json', 'Content-Length: 1000000000'],
    }),
    bodyShape('an animal that is none', 400, '{"name":"","categoryId":0,"status":null}'),
    bodyShape('16 KiB of spaces', 400, fill(' ', BODY)),
    bodyShape('16 KiB of opening brackets', 400, fill('[', BODY)),
    bodyShape('a body that is no UTF-8', 400, Buffer.alloc(BODY, 0xff)),
    ...Object.entries<(n: string) => string>({
      'member names': (n) => n,
      'member names with escapes': (n) => `\\u0061${n}`,
      'member names of integers': (n) => String(parseInt(n, 36)),
    }).map(([name, form]) =>
      bodyShape(
        name,
        400,
        members((n) => `"${form(n)}":0`),
      ),
    ),
    bodyShape('objects of one member', 400, around(`"a":[${fill('{"a":0},', 8 * 2_030)}0]`)),
    bodyShape(
      'arrays 60 deep',
      400,
      around(`"a":[${fill(`${fill('[', 60)}${fill(']', 60)},`, 121 * 134)}0]`),
    ),
    bodyShape('small numbers', 400, around(`"a":[${fill('0,', BODY - 70)}0]`)),
    bodyShape('a number of 16,000 digits', 400, around(`"a":${fill('1234567890', 16_000)}`)),
    bodyShape('a string of \\u escapes', 400, around(`"a":"${fill('\\u00e9', 16_200)}"`)),
    bodyShape('a name of 16,000 spaces', 400, `{"name":"${fill(' ', 16_000)}","categoryId":1}`),
    bodyShape('a name of lone surrogates', 400, `{"name":"${'\\ud800'.repeat(255)}","categoryId":1}`),
    bodyShape('a category of 16,000 zeros', 400, `{"name":"a","categoryId":1${fill('0', 16_000)}1}`),
    bodyShape('a category with a long exponent', 400, `{"name":"a","categoryId":1e${fill('9', 16_000)}}`),
    shape('a webhook of nested types', 400, webhook(`"types":[${fill('[],', BODY - 100)}[]]`)),
    shape('a webhook whose URL is long', 400, webhook(`"url":"https://a.example/${fill('é', 2_000)}"`)),

    // Bodies in pieces, of which each is one to node's parser and streams: about 2 µs.
    shape('chunks: 16,000 of one byte', 400, chunked(byteByByte(fill(' ', 16_000))), 150),
    shape('chunks: a long extension', 413, chunked(Buffer.from(`1;a=${fill('b', 17_000)}\r\n \r\n`))),
  ];
}
