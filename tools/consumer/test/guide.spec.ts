import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ALL_SCOPES,
  type PetStoreProcess,
  startFaultProxy,
  startPetStore,
  UNLIMITED,
} from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generateApi } from 'swagger-typescript-api';
import ts from 'typescript';
import { LANGUAGES, printsAsSaid, type Snippet } from '../src/snippets.js';
import { PROGRAMS } from './generated-programs.js';
import {
  compile,
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
const snippets = snippetsOfGuide(texts);
const runnable = snippets.filter(({ language }) => !missing.includes(language));

const FREE = ['--plan', 'free', '--scopes'];
/** Pages whose programs need more requests than the Free plan has while all pages are run at once. */
const NEED_MUCH = [
  'adoption.md',
  'categories.md',
  'changes.md',
  'copies.md',
  'find-an-animal.md',
  'pages.md',
  'show-animals.md',
  'webhooks.md',
];
/** What a reader of the page on webhooks starts the service with. */
const LOCAL_RECEIVERS = { WEBHOOK_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

let folder: SnippetFolder;
let store: PetStoreProcess;
let unlimitedKey: string;
let freeKey: string;
/** Of the page that counts what is left. */
let countedKey: string;
/** Keys that only the page on adoptions uses, by variable, with the scopes that it says. */
const adoptionKeys: Record<string, string> = {};

beforeAll(async () => {
  [folder, store] = await Promise.all([makeSnippetFolder(snippets), startPetStore(LOCAL_RECEIVERS)]);
  unlimitedKey = await store.issueKey([...UNLIMITED, '--scopes', ALL_SCOPES]);
  freeKey = await store.issueKey([...FREE, ALL_SCOPES]);
  countedKey = await store.issueKey([...FREE, ALL_SCOPES]);
  for (const name of ['site', 'desk'])
    adoptionKeys[`${name.toUpperCase()}_KEY`] = await store.issueKey([...FREE, scopesOf(name)]);
  await addAnimals(120);
  // `npm run key` ends in this program; what npm does before is no matter of the guide.
  await mkdir(join(folder.path, 'bin'));
  const operator = `#!/bin/sh\nshift 4\nexec ${process.execPath} ${store.operator.program} keys "$@"\n`;
  await writeFile(join(folder.path, 'bin/npm'), operator, { mode: 0o755 });
}, 120_000);
afterAll(async () => {
  await store.stop();
  await folder.remove();
});

/** Adds an animal and returns its path. */
async function addAnimal(): Promise<string> {
  const headers = { Authorization: `Bearer ${unlimitedKey}`, 'Content-Type': 'application/json' };
  const body = '{"name":"One of many","categoryId":9}';
  const { status, headers: fields } = await fetch(`${store.origin}/v1/pets`, {
    ...{ method: 'POST', headers, body },
  });
  if (status !== 201) throw new Error(`An animal could not be added: ${status}.`);
  return fields.get('location') ?? '';
}

/** More animals than a page can have, so that programs that list everything have pages to follow. */
async function addAnimals(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await addAnimal();
}

/** Waits until the feed has every change so far: later ones are all that a webhook gets that is added then. */
async function untilInFeed(): Promise<void> {
  const headers = { Authorization: `Bearer ${unlimitedKey}` };
  const read = (query: string): Promise<Response> => fetch(`${store.origin}/v1/events?${query}`, { headers });
  const link = (await read('after=latest')).headers.get('link') ?? '';
  const position = /after=(\d+)/.exec(link)?.[1] ?? '';
  const id = (await addAnimal()).split('/').at(-1);
  await waitFor(async () =>
    (await (await read(`after=${position}&limit=100`)).text()).includes(`{"id":${id},`),
  );
}

/** The scopes of the key that the page on adoptions has created under a name. */
function scopesOf(name: string): string {
  const [, scopes] =
    new RegExp(`--name ${name} [^]*?--scopes (\\S+)`).exec(texts.get('adoption.md') ?? '') ?? [];
  if (scopes === undefined) throw new Error(`The page creates no key for ${name}.`);
  return scopes;
}

function keyOf(page: string): string {
  if (NEED_MUCH.includes(page)) return unlimitedKey;
  return page === 'limits.md' ? countedKey : freeKey;
}

/** Runs a snippet as its reader would, with the two variables of the first page set. */
async function output(snippet: Snippet, origin: string): Promise<string> {
  const variables = {
    PETSTORE_URL: `${origin}/v1`,
    PETSTORE_KEY: keyOf(snippet.page),
    LC_ALL: 'C.UTF-8',
    // Whoever runs the tests may ask for colours; the pages show none.
    FORCE_COLOR: '0',
    ...adoptionKeys,
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

const named = (some: readonly Snippet[]): [string, Snippet][] =>
  some.map((snippet) => [`${snippet.page}:${snippet.line} ${snippet.language}`, snippet]);

describe('the guide', () => {
  it('has a snippet to paste into a shell on every page, and says what each prints', () => {
    const pasted = snippets.filter(({ language }) => language === 'sh').map(({ page }) => page);
    expect([...texts.keys()].filter((page) => !pasted.includes(page))).toEqual(['README.md']);
    expect(snippets.filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  it('has TypeScript that compiles in strict mode', () => {
    expect(folder.complaints).toBe('');
  });
});

describe('a snippet of the guide does what the page says', () => {
  it.each(named(runnable))(
    '%s',
    async (_name, snippet) => {
      if (snippet.page === 'webhooks.md') await untilInFeed();
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

  it.each(named(patient))('%s', (_name, snippet) => {
    const { printed, times } = outcomes.get(snippet) ?? { printed: '', times: [] };
    expectAsSaid(snippet, printed);
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeGreaterThanOrEqual(990);
  });
});

describe('clients that others generate from the document', () => {
  /** What openapi-typescript is told to keep int64 exact; the guide says so, too. */
  const int64AsBigint = ({ format }: { format?: string }): ts.TypeNode | undefined =>
    format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined;
  const read = (name: string): Promise<string> => readFile(join(GUIDE, '..', name), 'utf8');
  let complaints: string;

  beforeAll(async () => {
    // Instances of tests take a free port; the rest of the address is as committed.
    const text = (await read('openapi.json')).replaceAll('127.0.0.1:3000', new URL(store.origin).host);
    const { files } = await generateApi({
      spec: JSON.parse(text) as never,
      output: false,
      fileName: 'client.ts',
      silent: true,
      generateClient: true,
      httpClientType: 'fetch',
    } as never);
    const sources = {
      ...PROGRAMS,
      'types.ts': astToString(await openapiTypescript(text)),
      'int64-types.ts': astToString(await openapiTypescript(text, { transform: int64AsBigint })),
      'webhook-types.ts': astToString(await openapiTypescript(await read('openapi-webhooks.json'))),
      'client.ts': files[0]?.fileContent ?? '',
    };
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder.path, name), source);
    complaints = await compile(folder.path, Object.keys(PROGRAMS), ['--strict']);
  }, 60_000);

  const print = async (program: string): Promise<string> => {
    const words = [program, `${store.origin}/v1`, unlimitedKey];
    return (await run(process.execPath, words, { cwd: folder.path })).stdout;
  };

  it('compile in strict mode', () => {
    expect(complaints).toBe('');
  });

  it.each([
    ['types of openapi-typescript', 'types-program.js'],
    ['the client of swagger-typescript-api', 'client-program.js'],
  ])('list, create, fetch, change, reserve, name, remove and read events: %s', async (_what, program) => {
    const created = { id: expect.any(Number), name: 'Typed', categoryId: 7, status: 'available' };
    const printed = JSON.parse(await print(program)) as { created: { id: number } };
    const { id } = printed.created;
    expect(printed).toEqual({
      created,
      listed: [{ ...created, id }],
      fetched: { ...created, id },
      changed: { ...created, id, name: 'Changed' },
      order: expect.objectContaining({ petId: id, placed: 'placed', status: 'cancelled', reason: 'Typed.' }),
      category: { id: 7, name: 'Typed' },
      removed: 204,
      isEvents: true,
    });
  });

  it('keep int64 exact beyond 2^53 where the generator is told to', async () => {
    expect(await print('int64-program.js')).toBe('{"categoryId":9007199254740993,"status":"available"}\n');
  });

  it('know the events that a receiver gets', async () => {
    expect(await print('receiver-program.js')).toBe('Rex Max\n');
  });
});
