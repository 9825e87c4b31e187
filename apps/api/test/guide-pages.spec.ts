import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { registry } from './declared-operations.js';
import { runService, type RunningService } from './running-service.js';

const DOCUMENTS = fileURLToPath(new URL('../../../docs/guide/', import.meta.url));
const PAGES = [
  '/docs/guide',
  '/docs/guide/contract',
  ...readdirSync(DOCUMENTS)
    .filter((file) => file !== 'README.md')
    .map((file) => `/docs/guide/${file.replace(/\.md$/, '')}`),
];

let running: RunningService;
const texts = new Map<string, Promise<string>>();

beforeAll(async () => {
  running = await runService({ DOCS_PER_MINUTE: '100000' });
});
afterAll(() => running.close());

/** The text at a path; fails when there is none. */
function textAt(path: string): Promise<string> {
  let text = texts.get(path);
  if (text === undefined) {
    text = fetch(running.service.origin + path).then((response) => {
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    });
    texts.set(path, text);
  }
  return text;
}

/** What a page links to or loads, as URLs. */
function targetsOf(html: string, path: string): URL[] {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(
    ([, target = '']) => new URL(target.replaceAll('&amp;', '&'), running.service.origin + path),
  );
}

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

describe('the guide', () => {
  it.each(PAGES)('has %s, whose links all lead somewhere', async (path) => {
    const html = await textAt(path);
    const ids = idsOf(html);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = targetsOf(html, path).filter(({ origin }) => origin === running.service.origin);
    expect(targets.length).toBeGreaterThan(PAGES.length);
    for (const { pathname, hash } of targets) {
      const text = await textAt(pathname);
      if (hash !== '')
        expect([pathname, hash, idsOf(text).includes(hash.slice(1))]).toEqual([pathname, hash, true]);
    }
  });

  it.each(PAGES)('loads nothing from elsewhere for %s', async (path) => {
    const html = await textAt(path);
    for (const [element] of html.matchAll(/<(?:img|script|link|iframe|object|source|video|form)\b[^>]*>/g))
      for (const { origin } of targetsOf(element, path))
        expect([element, origin]).toEqual([element, running.service.origin]);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  it.each(PAGES)('has %s as Markdown, too, with links that lead somewhere', async (path) => {
    const markdown = (await textAt(`${path}.md`)).replace(/^```[^]*?^```$/gm, '');
    const base = `${running.service.origin}${path}.md`;
    for (const [, target = ''] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      const { origin, pathname } = new URL(target, base);
      if (origin === running.service.origin) await textAt(pathname);
    }
    expect(markdown).toMatch(/^# /);
  });

  it('has an anchor for every error code', async () => {
    for (const path of ['/docs/guide/errors', '/docs/guide/contract'])
      expect(idsOf(await textAt(path))).toEqual(
        expect.arrayContaining(registry.errors.map(({ code }) => code)),
      );
  });

  it('is where the notice of a deprecated operation leads', async () => {
    const client = await running.client();
    const { headers } = await client.get('/v1/pets/1');
    const [, target = ''] = /<([^>]*)>; rel="deprecation"/.exec(String(headers['link'])) ?? [];
    expect(await textAt(target)).toContain('<h1 id="deprecation">');
  });

  it('has an index of all pages for the search, every section of which exists', async () => {
    const index = JSON.parse(await textAt('/docs/guide/search.json')) as [url: string, ...texts: string[]][];
    for (const [url] of index) {
      const { pathname, hash } = new URL(url, `${running.service.origin}/docs/guide.js`);
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
        const { pathname } = new URL(target, running.service.origin + path);
        await textAt(pathname);
        expect([pathname, about]).toEqual([pathname, expect.any(String)]);
        listed.push(pathname);
      }
      const [, ...pages] = PAGES;
      expect(listed).toEqual(
        expect.arrayContaining([...pages.map((page) => `${page}.md`), '/openapi.json', '/docs']),
      );
    },
  );
});

describe('addresses that people type', () => {
  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/?x', '/docs'],
    ['/docs/guide/', '/docs/guide'],
    ['/docs/key/', '/docs/key'],
  ])('lead from %s to %s, below any path prefix', async (path, target) => {
    const ask = (method: string): Promise<Response> =>
      fetch(running.service.origin + path, { method, redirect: 'manual' });
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(method);
      expect([status, headers.get('content-length')]).toEqual([302, '0']);
      for (const base of ['https://example.com', 'https://example.com/shelter'])
        expect(new URL(headers.get('location') ?? '', base + path).href).toBe(base + target);
    }
    expect((await ask('OPTIONS')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await ask('POST')).status).toBe(404);
  });
});
