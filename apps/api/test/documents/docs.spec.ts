import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { registry } from '../support/declared-operations.js';
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
  ['application/json', '/docs/guide/search.json /openapi.json /openapi-webhooks.json'],
  ['application/yaml; charset=utf-8', '/openapi.yaml'],
];
const TYPES = FILES.flatMap(([type, paths]) => paths.split(' ').map((path) => [path, type] as const));

const DOCUMENTS = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
const PAGES = [
  '/docs/guide',
  '/docs/guide/contract',
  '/docs/guide/changelog',
  ...readdirSync(DOCUMENTS)
    .filter((file) => file !== 'README.md')
    .map((file) => `/docs/guide/${file.replace(/\.md$/, '')}`),
];

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
    const plain = await get(path);
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'content-type': type,
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
      const { etag } = packed.headers;
      expect(packed.headers['content-encoding']).toBe(encoding);
      // Strong, and so of these bytes only.
      expect(etag).toBe(String(plain.headers.etag).replace(/"$/, `-${encoding}"`));
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
      const unchanged = await get(path, { 'Accept-Encoding': encoding, 'If-None-Match': etag });
      expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
      expect(unchanged.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
    }
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
  });

  it('let pages of any origin read the documents, and no other file', async () => {
    for (const [path] of TYPES) {
      const { headers } = await get(path, { Origin: 'https://tools.example' });
      const isDocument = path.startsWith('/openapi');
      expect([path, headers['access-control-allow-origin']]).toEqual([path, isDocument ? '*' : undefined]);
    }
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
      '/docs/index.html /docs/guide.html /docs/key.html /docs/guide/errors/ /docs/guide/errors.html ' +
      '/docs/guide/../guide /docs/pages /docs/swagger-initializer.js /docs/swagger-ui-bundle.js.map ' +
      '/docs/swagger-ui-es-bundle.js /docs/package.json /docs/../package.json /docs/%2e%2e/package.json ' +
      '/docs/docs.js/ /docs//docs.js /docs/docs.js%00'
    ).split(' '),
    '/docs/a/..'.repeat(100),
  ])('have nothing at %.40s', async (path) => {
    const { status, headers, bytes } = await get(path);
    expect([status, headers['content-type']]).toEqual([404, 'application/json']);
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'route_not_found' });
  });

  it('have a page for browsers where there is none, whose links lead to what is there', async () => {
    for (const path of ['/docs/nothing', '/docs/guide/nothing', '/docs/guide/errors/', '/docs/a/b/c/d']) {
      const { status, headers, bytes } = await get(path, { Accept: 'text/html,*/*;q=0.8' });
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(headers).toMatchObject({
        vary: 'Accept',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
        'x-content-type-options': 'nosniff',
      });
      for (const [, target = ''] of bytes.toString().matchAll(/ (?:href|src)="([^"]*)"/g)) {
        const { pathname } = new URL(target, origin + path);
        expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
      }
    }
    expect((await get('/nothing', { Accept: 'text/html' })).headers['content-type']).toBe('application/json');
  });

  it.each([...TYPES.map(([path]) => path), '/', '/docs/', '/docs/key/', '/livez', '/readyz', '/livez?x'])(
    'are read only, as are probes: %s',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
        const { status, headers, bytes } = await get(path, {}, method);
        expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
        expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'method_not_allowed', status });
      }
      const options = await get(path, {}, 'OPTIONS');
      expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect([200, 302]).toContain((await get(path, {}, 'HEAD')).status);
    },
  );

  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/?x', '/docs'],
    ['/docs/guide/', '/docs/guide'],
    ['/docs/key/', '/docs/key'],
  ])('are where people type %s: at %s, below any path prefix', async (path, target) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(path, {}, method);
      expect([status, headers['content-length']]).toEqual([302, '0']);
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

describe('the guide', () => {
  const texts = new Map<string, Promise<string>>();

  /** The text at a path, which is requested once; fails when there is none. */
  function textAt(path: string): Promise<string> {
    const read = async (): Promise<string> => {
      const { status, bytes } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      return bytes.toString();
    };
    const text = texts.get(path) ?? read();
    texts.set(path, text);
    return text;
  }

  /** What a page links to or loads, as URLs. */
  const targetsOf = (html: string, path: string): URL[] =>
    [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(
      ([, target = '']) => new URL(target.replaceAll('&amp;', '&'), origin + path),
    );
  const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

  it.each(PAGES)(
    'has %s, whose links all lead somewhere, and which loads nothing from elsewhere',
    async (path) => {
      const html = await textAt(path);
      const ids = idsOf(html);
      expect(new Set(ids).size).toBe(ids.length);
      const targets = targetsOf(html, path).filter((target) => target.origin === origin);
      expect(targets.length).toBeGreaterThan(PAGES.length);
      for (const { pathname, hash } of targets) {
        const text = await textAt(pathname);
        // What is tried on the docs page is put there by its script.
        const isThere = hash === '' || pathname === '/docs' || idsOf(text).includes(hash.slice(1));
        expect([pathname, hash, isThere]).toEqual([pathname, hash, true]);
      }
      for (const [element] of html.matchAll(/<(?:img|script|link|iframe|object|source|video|form)\b[^>]*>/g))
        for (const target of targetsOf(element, path))
          expect([element, target.origin]).toEqual([element, origin]);
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    },
  );

  it.each(PAGES)('has %s as Markdown, too, with links that lead somewhere', async (path) => {
    const markdown = (await textAt(`${path}.md`)).replace(/^```[^]*?^```$/gm, '');
    expect(markdown).toMatch(/^# /);
    for (const [, link = ''] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      const target = new URL(link, `${origin}${path}.md`);
      if (target.origin === origin) await textAt(target.pathname);
    }
  });

  it('has an anchor for every error code', async () => {
    expect(idsOf(await textAt('/docs/guide/errors'))).toEqual(
      expect.arrayContaining(registry.errors.map(({ code }) => code)),
    );
  });

  it('is where the notice of a deprecated operation leads', async () => {
    const { headers } = await (await running.client()).get('/v1/pets/1');
    const [, target = ''] = /<([^>]*)>; rel="deprecation"/.exec(String(headers['link'])) ?? [];
    expect(await textAt(target)).toContain('<h1 id="deprecation">');
  });

  it('has an index of all pages for the search, every section of which exists', async () => {
    const index = JSON.parse(await textAt('/docs/guide/search.json')) as [url: string, ...texts: string[]][];
    for (const [url] of index) {
      const { pathname, hash } = new URL(url, `${origin}/docs/guide.js`);
      if (hash !== '') expect(idsOf(await textAt(pathname))).toContain(hash.slice(1));
    }
    expect(new Set(index.map(([url]) => `/docs/${url.replace(/#.*/, '')}`))).toEqual(new Set(PAGES));
  });

  it.each(['/llms.txt', '/docs/llms.txt'])(
    'is listed in %s as Markdown, each page with what it is about',
    async (path) => {
      const text = await textAt(path);
      expect(text).toMatch(/^# Pet Store Service\n\n> /);
      const listed: string[] = [];
      for (const [, target = '', about] of text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(?:: (\S.*))?$/gm)) {
        const { pathname } = new URL(target, origin + path);
        await textAt(pathname);
        expect([pathname, about]).toEqual([pathname, expect.any(String)]);
        listed.push(pathname);
      }
      const pages = PAGES.slice(1).map((page) => `${page}.md`);
      expect(listed).toEqual(expect.arrayContaining([...pages, '/openapi.json', '/docs']));
    },
  );
});
