import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { registry } from '../support/declared-operations.js';
import { serve } from '../support/running-service.js';

const DOCUMENTS = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
const PAGES = [
  '/docs/guide',
  '/docs/guide/contract',
  '/docs/guide/changelog',
  ...readdirSync(DOCUMENTS)
    .filter((file) => file !== 'README.md')
    .map((file) => `/docs/guide/${file.replace(/\.md$/, '')}`),
];

const { running } = await serve({ DOCS_PER_MINUTE: '100000' });
const { origin } = running.service;

describe('the guide', () => {
  const texts = new Map<string, Promise<string>>();

  /** The text at a path, which is requested once; fails when there is none. */
  function textAt(path: string): Promise<string> {
    const read = async (): Promise<string> => {
      const reply = await fetch(origin + path);
      expect([path, reply.status]).toEqual([path, 200]);
      return reply.text();
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
