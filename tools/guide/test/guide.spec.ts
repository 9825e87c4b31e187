import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { renderSite } from '../site.mjs';
import { relativeUrl } from '../sources.mjs';

let folder = '';
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const CONTENTS = '# Guide\n\nFor people.\n\n1. [Errors](errors.md)\n';
const ERRORS = '# Errors\n\nEvery error is JSON. More.\n';

/** The site that is made of documents, by their paths. */
function siteOf(documents: Readonly<Record<string, string>>): Map<string, string> {
  folder = mkdtempSync(join(tmpdir(), 'petstore-guide-'));
  const all = {
    'guide/README.md': CONTENTS,
    'guide/errors.md': ERRORS,
    'contract.md': '# Contract\n',
    'openapi.json': '{"paths":{"/pets":{"get":{"operationId":"listPets","tags":["Pets"]}}}}',
    '../CHANGELOG.md': '# Changelog\n\n[Errors](docs/guide/errors.md)\n',
    ...documents,
  };
  const docs = join(folder, 'docs');
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(docs, file)), { recursive: true });
    writeFileSync(join(docs, file), text);
  }
  return renderSite(docs) as Map<string, string>;
}

describe('the pages', () => {
  it('are one for each document, with its Markdown, its place among the others and what it says first', () => {
    const site = siteOf({});
    expect([...site.keys()].filter((path) => /\.(html|md)$/.test(path))).toEqual(
      ['/docs/guide', '/docs/guide/errors', '/docs/guide/contract', '/docs/guide/changelog'].flatMap(
        (path) => [`${path}.html`, `${path}.md`],
      ),
    );
    const page = site.get('/docs/guide/errors.html');
    expect(page).toContain('<a rel="prev" href="../../docs/guide">Before: Guide</a>');
    expect(page).toContain('<a rel="next" href="../../docs/guide/contract">Next: Contract</a>');
    expect(page).toContain('content="Every error is JSON."');
    expect(site.get('/llms.txt')).toContain('- [Errors](docs/guide/errors.md): Every error is JSON.\n');
    expect(site.get('/docs/guide/changelog.html')).toContain('<a href="../../docs/guide/errors">Errors</a>');
  });

  it('link to one another and to what the service has; of other links the text stays', () => {
    const links =
      '[a](../contract.md#b), [c](../openapi.json), [d](https://example.com/), [e](#errors), [f](../keys.md)';
    const site = siteOf({ 'guide/errors.md': `${ERRORS}\n${links} \`[g](h.md)\`\n` });
    const rest = '<a href="https://example.com/">d</a>, <a href="#errors">e</a>, f <code>[g](h.md)</code>';
    expect(site.get('/docs/guide/errors.html')).toContain(
      `<a href="../../docs/guide/contract#b">a</a>, <a href="../../openapi.json">c</a>, ${rest}`,
    );
    expect(site.get('/docs/guide/errors.md')).toContain(
      '[a](../../docs/guide/contract.md#b), [c](../../openapi.json), [d](https://example.com/), [e](#errors), f `[g](h.md)`',
    );
  });

  it('lead from the id of an operation to where it can be tried', () => {
    const site = siteOf({ 'guide/errors.md': `${ERRORS}\nTry \`listPets\`, not \`list\`.\n` });
    expect(site.get('/docs/guide/errors.html')).toContain(
      'Try <a href="../../docs#/Pets/listPets"><code>listPets</code></a>, not <code>list</code>.',
    );
  });

  it('show pictures that stand beside the guide', () => {
    const site = siteOf({
      'guide/errors.md': `${ERRORS}\n![A](../pictures/a.svg)\n`,
      'pictures/a.svg': '<svg/>',
    });
    expect(site.get('/docs/guide/errors.html')).toContain('<img src="../../docs/guide/a.svg" alt="A">');
    expect(String(site.get('/docs/guide/a.svg'))).toBe('<svg/>');
  });

  it('have an anchor for each heading, as GitHub has, and for each error code', () => {
    const table =
      '| status | code | when |\n| --- | --- | --- |\n| 404 | `pet_not_found` | None. |\n| 7 | `a_b` | No. |\n';
    const site = siteOf({
      'guide/errors.md': `${ERRORS}\n## If ` + '`limit`, then\n\n## If limit, then\n\n' + table,
    });
    const page = site.get('/docs/guide/errors.html') ?? '';
    expect([...page.matchAll(/<(h\d|tr) id="([^"]*)"/g)].map(([, , id]) => id)).toEqual([
      'errors',
      'if-limit-then',
      'if-limit-then-1',
      'pet_not_found',
    ]);
    const index = JSON.parse(site.get('/docs/guide/search.json') ?? '') as string[][];
    expect(index).toContainEqual(['guide/errors#pet_not_found', 'Errors', 'pet_not_found', '404: None.', '']);
  });

  it('show code and HTML as text, without comments', () => {
    const text = '<!-- Not shown. -->\n\n<b>x</b>\n\n```json\n{"a": "<script>"}\n```\n';
    const page = siteOf({ 'guide/errors.md': ERRORS + text }).get('/docs/guide/errors.html') ?? '';
    expect(page).toContain('&lt;b&gt;x&lt;/b&gt;');
    expect(page).toContain('<span class="hljs-string">&quot;&lt;script&gt;&quot;</span>');
    expect(page).not.toMatch(/Not shown|<script>/);
  });

  it.each([
    [{ 'guide/lost.md': '# Lost\n' }, 'docs/guide/README.md does not list lost.'],
    [{ 'guide/errors.md': 'Without\n' }, 'guide/errors.md has no heading.'],
    [
      { 'guide/errors.md': `${ERRORS}\n\`\`\`cobol\n\`\`\`\n` },
      'guide/errors.md has code in "cobol", which is not highlighted.',
    ],
  ])('are not made of %j', (documents, message) => {
    expect(() => siteOf(documents)).toThrow(message);
  });
});

describe('relativeUrl', () => {
  it.each([
    ['/docs/guide', '/docs/guide/errors'],
    ['/docs/guide/errors', '/docs/guide'],
    ['/docs/guide/errors', '/openapi.json'],
    ['/llms.txt', '/docs/guide/errors.md'],
  ])('leads from %s to %s below any path', (from, to) => {
    for (const prefix of ['https://example.com', 'https://example.com/a/b'])
      expect(new URL(relativeUrl(from, to), prefix + from).href).toBe(prefix + to);
  });
});
