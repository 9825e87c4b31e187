import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Client } from './client.js';
import { DOCS_FILES } from './docs-files.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const PER_MINUTE = 60;
const PATHS = DOCS_FILES.map(([path]) => path);

let running: RunningService;
let client: Client;
let lastAddress = 0;

beforeAll(async () => {
  // Each test comes from addresses of its own.
  running = await runService({ TRUSTED_PROXIES: '127.0.0.1', DOCS_PER_MINUTE: String(PER_MINUTE) });
  client = await running.client();
});
afterAll(() => running.close());

const anotherAddress = (): string => `198.18.${++lastAddress >> 8}.${lastAddress & 255}`;

interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(running.service.origin);
    const all = { 'X-Forwarded-For': anotherAddress(), ...headers };
    http
      .request({ hostname, port, path, method, headers: all, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          });
        });
      })
      .on('error', reject)
      .end();
  });
}

describe('the docs', () => {
  it.each([...DOCS_FILES])('have %s, also compressed, with a validator for each form', async (path, type) => {
    const plain = await get(path);
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'content-type': expect.stringMatching(type),
      'content-length': String(plain.bytes.length),
      'cache-control': expect.stringMatching(/^public, (?:no-cache|max-age=3600)$/),
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'x-content-type-options': 'nosniff',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await get(path, { 'Accept-Encoding': encoding });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
      expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${encoding}"`));
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
      const same = { 'Accept-Encoding': encoding, 'If-None-Match': packed.headers.etag };
      const unchanged = await get(path, same);
      expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
      expect(unchanged.headers).toMatchObject({ etag: packed.headers.etag, vary: 'Accept-Encoding' });
      // What is kept in one form is no response to those who take another.
      expect((await get(path, { 'If-None-Match': packed.headers.etag })).status).toBe(200);
    }
  });

  it.each(PATHS)('respond to HEAD and OPTIONS of %s', async (path) => {
    const [whole, head] = await Promise.all([get(path), get(path, {}, 'HEAD')]);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(whole.bytes.length));
    const options = await get(path, {}, 'OPTIONS');
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    '/docs/index.html',
    '/docs/guide.html',
    '/docs/key.html',
    '/docs/guide/errors/',
    '/docs/guide/errors.html',
    '/docs/guide/../guide',
    '/docs/pages',
    '/docs/swagger-initializer.js',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/swagger-ui-es-bundle.js',
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/docs.js/',
    '/docs//docs.js',
    '/docs/docs.js%00',
    '/docs/a/..'.repeat(100),
  ])('have nothing at %s', async (path) => {
    const { status, headers, bytes } = await get(path);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'route_not_found' });
  });

  it('are read only: another method finds nothing', async () => {
    expect((await get('/docs', {}, 'POST')).status).toBe(404);
    expect((await get('/openapi.json', {}, 'DELETE')).status).toBe(404);
  });

  it('are the same for a hundred who are the first to ask', async () => {
    const other = await running.another();
    const ask = (): Promise<string> =>
      fetch(`${other.origin}/openapi.json`, { headers: { 'X-Forwarded-For': anotherAddress() } }).then(
        (reply) => reply.text(),
      );
    const documents = await Promise.all(Array.from({ length: 100 }, ask));
    expect(new Set(documents)).toEqual(new Set([(await get('/openapi.json')).bytes.toString()]));
  });
});

describe('the limit of the docs', () => {
  it('admits as many requests of an address as it says, whatever they ask for, and then refuses', async () => {
    const from = { 'X-Forwarded-For': anotherAddress() };
    const paths = [...PATHS, '/docs/nothing', '/nowhere'];
    const sent = 10 * PER_MINUTE;
    let bytes = 0;
    const statuses: number[] = [];
    for (let i = 0; i < sent; i += 20) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, j) => get(paths[(i + j) % paths.length] ?? '', from)),
      );
      for (const reply of replies) {
        statuses.push(reply.status);
        bytes += reply.bytes.length;
        if (reply.status !== 429) continue;
        expect(JSON.parse(reply.bytes.toString())).toMatchObject({
          code: 'rate_limit_exceeded',
          status: 429,
        });
        expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
      }
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(PER_MINUTE);
    expect(bytes).toBeLessThan(PER_MINUTE * 400_000);
  });

  it('takes nothing from what the API gives the address, and the other way round', async () => {
    const from = { 'X-Forwarded-For': anotherAddress() };
    for (let i = 0; i < PER_MINUTE; i++) await get('/docs/theme.js', from);
    expect((await get('/docs/theme.js', from)).status).toBe(429);
    const refused = await get('/v1/pets', from);
    expect([refused.status, refused.headers['x-ratelimit-remaining']]).toEqual([401, '99999']);
    expect((await client.get('/v1/pets', { headers: from })).status).toBe(200);
  });

  it('is counted for each address by itself', async () => {
    const from = { 'X-Forwarded-For': anotherAddress() };
    for (let i = 0; i <= PER_MINUTE; i++) await get('/openapi.json', from, 'HEAD');
    expect((await get('/openapi.json', from)).status).toBe(429);
    expect((await get('/openapi.json')).status).toBe(200);
  });
});

describe('health', () => {
  it('is served however often one address requests it, in no line of the level info', async () => {
    const from = { 'X-Forwarded-For': anotherAddress() };
    const asked = 20 * PER_MINUTE;
    for (let i = 0; i < asked; i += 50) {
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, j) => get(j % 2 ? '/livez' : '/readyz', from)),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const lines = (): { level: number; operation?: string }[] =>
      running.lines
        .map((line) => JSON.parse(line) as { level: number; operation?: string })
        .filter(({ operation }) => operation === 'health');
    await until(() => lines().length === asked);
    expect(new Set(lines().map(({ level }) => level))).toEqual(new Set([20]));
  });
});
