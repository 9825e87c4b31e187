import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorsOf } from '../anchors.mjs';

const LINTER = join(
  dirname(createRequire(import.meta.url).resolve('markdownlint-cli2')),
  'markdownlint-cli2-bin.mjs',
);
const RULE = fileURLToPath(new URL('../relative-links.mjs', import.meta.url));

let folder = '';
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What the rule says of documents, by their paths. */
function complaintsAbout(files: Readonly<Record<string, string>>): Promise<string[]> {
  folder = mkdtempSync(join(tmpdir(), 'petstore-links-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const configuration = { customRules: [RULE], config: { default: false, 'relative-links': true } };
  writeFileSync(join(folder, '.markdownlint-cli2.jsonc'), JSON.stringify(configuration));
  return new Promise((resolve) => {
    execFile(process.execPath, [LINTER, '**/*.md'], { cwd: folder }, (_error, _stdout, stderr) => {
      resolve(stderr.split('\n').filter((line) => line.includes('relative-links')));
    });
  });
}

describe('relative links', () => {
  it('may name files, folders, headings and whatever is elsewhere', async () => {
    const links = [
      '[a](docs/a.md)',
      '[b](docs/a.md#what-it-is)',
      '[c](docs)',
      '[d](https://example.com/x.md#y)',
      '[e](mailto:a@example.com)',
      '![f](docs/p%20q.png)',
      '`[g](nowhere.md)`',
    ];
    expect(
      await complaintsAbout({
        'README.md': `# Top\n\n${links.join('\n')}\n`,
        'docs/a.md': '# What it is\n\n[up](../README.md#top)\n',
        'docs/p q.png': '',
      }),
    ).toEqual([]);
  });

  it.each([
    ['[a](docs/b.md)', 'there is no such file'],
    ['![a](b.png)', 'there is no such file'],
    ['[a](docs/a.md#no)', 'there is no such heading'],
    ['[a](/docs/a.md)', 'links are relative to the document'],
    ['[a][b]\n\n[b]: c.md', 'there is no such file'],
  ])('are refused: %j', async (link, message) => {
    const complaints = await complaintsAbout({ 'README.md': `${link}\n`, 'docs/a.md': '# A\n' });
    expect(complaints).toEqual([expect.stringMatching(new RegExp(`^README\\.md:1 .*${message}`))]);
  });
});

it('knows anchors as GitHub makes them', () => {
  const markdown = [
    '# `Retry-After`: when?',
    '## Two  words #',
    '## [A link](x.md) & more',
    '## Two  words',
    '```sh',
    '# no heading',
    '```',
    '<a id="own"></a>',
    '### Über_uns',
  ].join('\n');
  expect([...anchorsOf(markdown)]).toEqual([
    'retry-after-when',
    'two--words',
    'a-link--more',
    'two--words-1',
    'own',
    'über_uns',
  ]);
});
