import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PetStoreProcess, startFaultProxy, startPetStore } from '@petstore/test-servers';
import { errorTableOf } from '../src/error-table.js';
import { LANGUAGES, printsAsSaid, type Snippet } from '../src/snippets.js';
import {
  GUIDE,
  isRunnable,
  makeSnippetFolder,
  NEEDS,
  readGuide,
  type SnippetFolder,
  snippetsOfGuide,
} from './snippet-folder.js';

const run = promisify(execFile);
const missing = LANGUAGES.filter((language) => !isRunnable(language));

const texts = await readGuide();
const pages = [...texts.keys()];
const snippets = snippetsOfGuide(texts);
const runnable = snippets.filter(({ language }) => !missing.includes(language));

let folder: SnippetFolder;
let store: PetStoreProcess;
/** Keys on the Free plan, as a reader has one: these pages count what is left or need much, the others share one. */
const WITH_A_KEY_OF_THEIR_OWN = [
  'adoption.md',
  'categories.md',
  'changes.md',
  'copies.md',
  'limits.md',
  'pages.md',
  'webhooks.md',
];
/** Of the demo key, which a reader has. */
const ALL_SCOPES =
  'pets:read,pets:write,categories:write,orders:read,orders:write,orders:manage,webhooks:manage';
/** What a reader of the page on webhooks starts the service with. */
const LOCAL_RECEIVERS = { WEBHOOK_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

const keys = new Map<string, string>();
/** Keys that only some pages use, by variable, with the scopes that the page says. */
const extraKeys = new Map<string, string>();

beforeAll(async () => {
  [folder, store] = await Promise.all([makeSnippetFolder(snippets), startPetStore(LOCAL_RECEIVERS)]);
  await addAnimals(120);
  for (const page of ['', ...WITH_A_KEY_OF_THEIR_OWN]) {
    keys.set(page, await store.issueKey(['--plan', 'free', '--scopes', ALL_SCOPES]));
  }
  for (const [variable, name] of [
    ['SITE_KEY', 'site'],
    ['DESK_KEY', 'desk'],
  ] as const) {
    const scopes = scopesOf(name, texts.get('adoption.md') ?? '');
    extraKeys.set(variable, await store.issueKey(['--plan', 'free', '--scopes', scopes]));
  }
  // `npm run key` ends in this program; what npm does before is no matter of the guide.
  await mkdir(join(folder.path, 'bin'));
  const operator = `#!/bin/sh\nshift 4\nexec ${process.execPath} ${store.operator.program} "$@"\n`;
  await writeFile(join(folder.path, 'bin/npm'), operator, { mode: 0o755 });
}, 120_000);
afterAll(async () => {
  await store.stop();
  await folder.remove();
});

/** More animals than a page can have, so that programs that list everything have pages to follow. */
async function addAnimals(count: number): Promise<void> {
  const plan = ['--plan', 'enterprise', '--per-minute', '1000', '--per-day', '1000'];
  const key = await store.issueKey([...plan, '--scopes', 'pets:write']);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = '{"name":"One of many","categoryId":9}';
  for (let n = 0; n < count; n++) {
    const { status } = await fetch(`${store.origin}/v1/pets`, { method: 'POST', headers, body });
    if (status !== 201) throw new Error(`An animal could not be added: ${status}.`);
  }
}

/** The scopes of the key that a page has created under a name. */
function scopesOf(name: string, text: string): string {
  const [, scopes] = new RegExp(`--name ${name} [^]*?--scopes (\\S+)`).exec(text) ?? [];
  if (scopes === undefined) throw new Error(`The page creates no key for ${name}.`);
  return scopes;
}

/** Runs a snippet as its reader would, with the two variables of the first page set. */
async function output(snippet: Snippet, origin: string): Promise<string> {
  const variables = {
    PETSTORE_URL: `${origin}/v1`,
    PETSTORE_KEY: keys.get(snippet.page) ?? keys.get('') ?? '',
    LC_ALL: 'C.UTF-8',
    // Whoever runs the tests may ask for colours; the pages show none.
    FORCE_COLOR: '0',
    ...Object.fromEntries(extraKeys),
    ...store.operator.environment,
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const { stdout } = await run('env', [...settings, ...folder.command(snippet)], {
    cwd: folder.path,
    timeout: 60_000,
  });
  return stdout;
}

function expectAsSaid(snippet: Snippet, printed: string): void {
  const said = snippet.prints ?? '';
  expect(printsAsSaid(said, printed) ? said : printed).toBe(said);
}

describe('the guide', () => {
  it('has snippets in every language on every page but the first', () => {
    for (const page of pages) {
      const languages = new Set(
        snippets.filter((snippet) => snippet.page === page).map(({ language }) => language),
      );
      expect({ page, languages: [...languages] }).toEqual({
        page,
        languages: page === 'README.md' ? [] : [...LANGUAGES],
      });
    }
  });

  it('says of each snippet what it prints', () => {
    expect(snippets.filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  it('has TypeScript that compiles in strict mode', () => {
    expect(folder.complaints).toBe('');
  });

  it('has the table of errors of the contract', async () => {
    const contract = await readFile(join(GUIDE, '../contract.md'), 'utf8');
    expect(errorTableOf(contract)).toMatch(/`internal_error`/);
    expect(errorTableOf(texts.get('errors.md') ?? '')).toBe(errorTableOf(contract));
  });

  it('links only to what is there', async () => {
    for (const [page, text] of texts) {
      for (const [, target = ''] of text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)) {
        const there = await readFile(join(GUIDE, target)).then(
          () => true,
          () => false,
        );
        expect({ page, target, there }).toEqual({ page, target, there: true });
      }
    }
  });
});

describe('a snippet of the guide does what the page says', () => {
  it.each(
    runnable.map((snippet) => [`${snippet.page}:${snippet.line} ${snippet.language}`, snippet] as const),
  )(
    '%s',
    async (_name, snippet) => {
      expectAsSaid(snippet, await output(snippet, store.origin));
    },
    60_000,
  );

  const left = snippets.length - runnable.length;
  if (left > 0) {
    it(`where its program is there: ${left} were read but not run, for want of ${missing.map((language) => NEEDS[language]).join(' and ')}`, () => {
      expect(missing).not.toContain('ts');
    });
  }
});

describe('a snippet that retries does what the page says when it is first refused', () => {
  const patient = runnable.filter(
    ({ page, language }) =>
      page === 'retries.md' || (['copies.md', 'pages.md'].includes(page) && language !== 'sh'),
  );
  const error = (status: number, code: string) => ({
    status,
    headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
    body: JSON.stringify({ code, message: 'Made up.', status }),
  });

  /** What each has printed, and when it made its requests: they wait at the same time. */
  const outcomes = new Map<Snippet, { printed: string; times: number[] }>();
  beforeAll(async () => {
    await Promise.all(
      patient.map(async (snippet) => {
        const proxy = await startFaultProxy(store.origin);
        proxy.next(
          { kind: 'answer', answer: error(429, 'rate_limit_exceeded') },
          { kind: 'answer-after-work', answer: error(503, 'service_unavailable') },
        );
        const printed = await output(snippet, proxy.origin).catch(String);
        outcomes.set(snippet, { printed, times: proxy.seen().map(({ at }) => at) });
        await proxy.close();
      }),
    );
  }, 60_000);

  it.each(
    patient.map((snippet) => [`${snippet.page}:${snippet.line} ${snippet.language}`, snippet] as const),
  )('%s', (_name, snippet) => {
    const { printed, times } = outcomes.get(snippet) ?? { printed: '', times: [] };
    expectAsSaid(snippet, printed);
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeGreaterThanOrEqual(990);
  });
});
