import { describe, expect, it } from '@jest/globals';
import http from 'node:http';
import net from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';

const PER_MINUTE = 60;
/** What stands beside the API for people and their tools, by media type. */
const FILES: readonly (readonly [type: string, paths: string])[] = [
  ['text/html; charset=utf-8', '/docs /docs/key /docs/guide /docs/guide/errors'],
  ['text/css; charset=utf-8', '/docs/docs.css /docs/swagger-ui.css'],
  [
    'text/javascript; charset=utf-8',
    '/docs/docs.js /docs/exact-numbers.js /docs/try-out.js /docs/theme.js /docs/guide.js /docs/key.js /docs/swagger-ui-bundle.js',
  ],
  ['text/markdown; charset=utf-8', '/docs/guide/errors.md'],
  ['text/plain; charset=utf-8', '/docs/llms.txt /llms.txt /docs/swagger-ui-bundle.js.LICENSE.txt'],
  ['image/svg+xml', '/docs/guide/sliding-window.svg /docs/icon.svg'],
  ['application/json; charset=utf-8', '/docs/guide/search.json'],
  ['application/json', '/openapi.json /openapi-webhooks.json'],
  ['application/yaml; charset=utf-8', '/openapi.yaml'],
];
const TYPES = FILES.flatMap(([type, paths]) => paths.split(' ').map((path) => [path, type] as const));

// Each request comes from an address of its own unless a test says otherwise.
const { running } = await serve({ TRUSTED_PROXIES: '127.0.0.1', DOCS_PER_MINUTE: String(PER_MINUTE) });
const { origin } = running.service;
let lastAddress = 0;

const anotherAddress = (): { 'X-Forwarded-For': string } => ({
  'X-Forwarded-For': `198.18.${++lastAddress >> 8}.${lastAddress & 255}`,
});

interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Sends a request of these header fields alone, and decodes nothing of the response. */
function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const options = {
      hostname,
      port,
      path,
      method,
      headers: { ...anotherAddress(), ...headers },
      agent: false,
    };
    const request = http.request(options, (response) => {
      const { statusCode: status = 0, headers: fields } = response;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status, headers: fields, bytes: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject).end();
  });
}

/** How many requests get each of these statuses, when so many are sent, 20 at a time. */
async function statusesOf(count: number, send: (n: number) => Promise<Received>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 20) {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, more) => send(n + more)));
    statuses.push(...replies.map(({ status }) => status));
  }
  return statuses;
}

describe('the docs', () => {
  it.each(TYPES)('have %s, also compressed, with a validator', async (path, type) => {
    const plain = await get(path, { Origin: 'https://tools.example' });
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'content-type': type,
      'content-length': String(plain.bytes.length),
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      'content-security-policy': expect.stringMatching(/script-src 'self';.*form-action 'none'/),
      'x-content-type-options': 'nosniff',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    // Pages of any origin may read the documents, and no other file.
    const readers = path.startsWith('/openapi') ? '*' : undefined;
    expect(plain.headers['access-control-allow-origin']).toBe(readers);
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['zstd', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const packed = await get(path, { 'Accept-Encoding': accepted });
      const { etag } = packed.headers;
      // One that is compressed as it is sent has the same in each coding.
      expect(etag).toMatch(path.startsWith('/openapi') ? /^W\/"[\w-]+"$/ : /^"[\w-]+"$/);
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
      const unchanged = await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': etag });
      expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
      expect(unchanged.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
    }
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
  });

  it('have times in YAML that are quoted, and the same document as the JSON', async () => {
    const yaml = (await get('/openapi.yaml')).bytes.toString();
    expect(yaml).toMatch(/"\d{4}-\d\d-\d\dT/);
    expect(yaml).not.toMatch(/[:-] \d{4}-\d\d-\d\d/);
    const json = (await get('/openapi.json')).bytes.toString();
    expect(parse(yaml)).toEqual(JSON.parse(json));
    // A parser of YAML 1.1 reads the same, as far as numbers are exact.
    expect(parse(yaml, { version: '1.1' })).toEqual(JSON.parse(json));
  });

  it.each([
    ...(
      '/docs/index.html /docs.html /docs/guide.html /docs/guide/errors.html /docs/guide/errors/ /docs/guide/nothing /docs/pages /docs/swagger-initializer.js ' +
      '/docs/swagger-ui-bundle.js.map /docs/docs.js.br /docs/package.json /docs/docs.js/ /docs/.js ' +
      '/docs/docs.js%00 /docs/%00 /docs/%ff /docs/%zz /docs/..%5c..%5cpackage.json /docs/..\\..\\package.json ' +
      '/docs/../package.json /docs/../../../package.json /docs/%2e%2e/%2e%2e/%2e%2e/%2e%2e/package.json ' +
      '/docs/%2e%2e%2f%2e%2e%2fgzip/llms.txt /docs/../../br/llms.txt /docs/%252e%252e/docs.js /embed/v1 /embed/v1/ ' +
      '/embed/v1/../../../package.json /embed/v1/%2e%2e/br/client.js'
    ).split(' '),
    '/docs/a/..'.repeat(20),
    `/docs/${'a'.repeat(300)}`,
  ])('have nothing at %s', async (path) => {
    for (const headers of [{}, { Accept: 'text/html' }, { 'Accept-Encoding': 'br' }]) {
      const { status, headers: fields, bytes } = await get(path, headers);
      expect([status, fields['content-type']]).toEqual([404, 'application/json']);
      expect(fields).not.toHaveProperty('content-encoding');
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'route_not_found' });
    }
  });

  it.each([
    ['If-Match', '"other"', 412],
    ['If-Match', '*', 200],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT', 412],
    ['If-None-Match', '*, "', 200],
    ['Range', 'bytes=9999999-', 200],
    ['Accept-Encoding', 'br;q=x, ;;, *;q=0', 200],
  ])('are not shaken by %s: %s', async (name, value, expected) => {
    const { status, headers, bytes } = await get('/docs/docs.js', { 'Accept-Encoding': 'br', [name]: value });
    expect(status).toBe(expected);
    if (status === 200) return;
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'precondition_failed' });
  });

  it.each(
    '/docs /docs/docs.js /docs/nothing /openapi.json /embed/v1/client.js /llms.txt / /docs/ /livez /readyz /livez?x'.split(
      ' ',
    ),
  )('are read only, as are probes: %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      const { status, headers, bytes } = await get(path, { 'Accept-Encoding': 'br' }, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'method_not_allowed', status });
    }
    const options = await get(path, {}, 'OPTIONS');
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/?x', '/docs'],
    ['/docs/guide/', '/docs/guide'],
    ['/docs/key/', '/docs/key'],
  ])('are where people type %s: at %s, below any path prefix', async (path, target) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(path, {}, method);
      expect(status).toBe(302);
      for (const base of ['https://example.com', 'https://example.com/shelter'])
        expect(new URL(headers.location ?? '', base + path).href).toBe(base + target);
    }
  });
});

describe('the limit of the docs', () => {
  it('admits as many requests of an address as it says, whatever they ask for, and then refuses', async () => {
    const from = anotherAddress();
    const paths = [...TYPES.map(([path]) => path), '/docs/nothing', '/nowhere'];
    let bytes = 0;
    const statuses = await statusesOf(3 * PER_MINUTE, async (n) => {
      const reply = await get(paths[n % paths.length] ?? '', from);
      bytes += reply.bytes.length;
      return reply;
    });
    expect(statuses.filter((status) => status !== 429)).toHaveLength(PER_MINUTE);
    expect(bytes).toBeLessThan(PER_MINUTE * 400_000);
    const refused = await get('/docs', from);
    expect(JSON.parse(refused.bytes.toString())).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.headers).not.toHaveProperty('x-ratelimit-limit');
    // Another address has its own, and the API another one.
    expect((await get('/openapi.json')).status).toBe(200);
    const keyless = await get('/v1/pets', from);
    expect([keyless.status, keyless.headers['x-ratelimit-remaining']]).toEqual([401, '99999']);
  });

  it('is for clients that read: beside 256 that do not, others are told to come back', async () => {
    const { hostname, port } = new URL(origin);
    const file = '/docs/swagger-ui-bundle.js';
    const silent = Array.from({ length: 256 }, () => {
      const { 'X-Forwarded-For': address } = anotherAddress();
      const socket = net.connect({ host: hostname, port: Number(port) }).pause();
      // More than the system takes for a client.
      socket.write(`GET ${file} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(8));
      return socket;
    });
    await until(async () => (await get('/docs')).status === 503);
    const refused = await get(file);
    expect(JSON.parse(refused.bytes.toString())).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await get('/livez')).status).toBe(200);
    for (const socket of silent) socket.destroy();
    await until(async () => (await get('/docs')).status === 200);
  });

  it('does not count health, of which no line of the level info is logged', async () => {
    const from = anotherAddress();
    const count = 4 * PER_MINUTE;
    const before = running.lines.length;
    const statuses = await statusesOf(count, (n) => get(n % 2 ? '/livez' : '/readyz', from));
    expect(new Set(statuses.filter((_, n) => n % 2 === 1))).toEqual(new Set([200]));
    // On a busy machine the look at the database may take too long.
    for (const status of statuses) expect([200, 503]).toContain(status);
    const lines = (): { level: number; operation?: string }[] =>
      running.lines
        .slice(before)
        .map((line) => JSON.parse(line) as { level: number; operation?: string })
        .filter(({ operation }) => operation === 'health');
    await until(() => lines().length >= count);
    expect(new Set(lines().map(({ level }) => level))).toEqual(new Set([20]));
  });
});
