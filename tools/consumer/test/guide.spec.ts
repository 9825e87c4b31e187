import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type FaultProxy,
  type PetStoreProcess,
  startFaultProxy,
  startPetStore,
  type TemporaryFolder,
  temporaryFolder,
} from '@petstore/test-servers';
import { errorTableOf } from '../src/error-table.js';
import { LANGUAGES, printsAsSaid, type Snippet, snippetsOf } from '../src/snippets.js';

const run = promisify(execFile);
const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));
const GUIDE = join(WORKSPACE, 'docs/guide');
const TSC = join(WORKSPACE, 'node_modules/typescript/bin/tsc');

/** What a snippet of each language needs of the machine; TypeScript needs what runs these tests. */
const NEEDS = { sh: 'curl', ts: process.execPath, python: 'python3' };
const missing = LANGUAGES.filter((language) => !isThere(NEEDS[language]));

const pages = (await readdir(GUIDE)).filter((name) => name.endsWith('.md')).sort();
const texts = new Map<string, string>();
for (const page of pages) texts.set(page, await readFile(join(GUIDE, page), 'utf8'));
const snippets = pages.flatMap((page) => snippetsOf(page, texts.get(page) ?? ''));
const runnable = snippets.filter(({ language }) => !missing.includes(language));

let folder: TemporaryFolder;
let store: PetStoreProcess;
let proxy: FaultProxy;
/** Keys on the Free plan, as a reader has one: these pages count what is left, the others share one. */
const WITH_A_KEY_OF_THEIR_OWN = ['limits.md', 'pages.md'];
const keys = new Map<string, string>();
let complaints = '';

beforeAll(async () => {
  [folder, store] = await Promise.all([temporaryFolder('guide'), startPetStore()]);
  proxy = await startFaultProxy(store.origin);
  for (const page of ['', ...WITH_A_KEY_OF_THEIR_OWN]) {
    keys.set(page, await store.issueKey(['--plan', 'free']));
  }
  await mkdir(join(folder.path, 'node_modules/@petstore'), { recursive: true });
  await symlink(join(WORKSPACE, 'libs/client'), join(folder.path, 'node_modules/@petstore/client'));
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  for (const snippet of snippets) await writeFile(join(folder.path, fileOf(snippet)), snippet.code);
  // `npm run key` ends in this program; what npm does before is no matter of the guide.
  await mkdir(join(folder.path, 'bin'));
  const operator = `#!/bin/sh\nshift 4\nexec ${process.execPath} ${store.operator.program} "$@"\n`;
  await writeFile(join(folder.path, 'bin/npm'), operator, { mode: 0o755 });
  complaints = await compile();
}, 120_000);
afterAll(async () => {
  await proxy.close();
  await store.stop();
  await folder.remove();
});

/** Compiles all TypeScript snippets at once; what the compiler complains of. */
async function compile(): Promise<string> {
  const files = snippets.filter(({ language }) => language === 'ts').map(fileOf);
  const lib = ['--lib', 'es2022,dom,dom.iterable'];
  const types = ['--typeRoots', join(WORKSPACE, 'node_modules/@types'), '--types', 'node'];
  // The files of TypeScript itself need no check.
  const strict = [
    '--skipDefaultLibCheck',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
  ];
  const target = ['--target', 'es2022', '--module', 'nodenext', '--moduleDetection', 'force'];
  const { stdout } = await run(process.execPath, [TSC, ...files, ...strict, ...target, ...lib, ...types], {
    cwd: folder.path,
  }).catch((error: unknown) => error as { stdout: string });
  return stdout;
}

function fileOf({ page, line, language }: Snippet): string {
  return `${page.replace('.md', '')}-${line}.${language === 'python' ? 'py' : language}`;
}

/** Runs a snippet as its reader would, with the two variables of the first page set. */
async function output(snippet: Snippet, origin: string): Promise<string> {
  const file = fileOf(snippet);
  const command = {
    sh: ['sh', '-c', `PATH="${folder.path}/bin:$PATH" exec sh -eu ${file}`],
    ts: [process.execPath, file.replace(/\.ts$/, '.js')],
    python: ['python3', file],
  }[snippet.language];
  const variables = {
    PETSTORE_URL: `${origin}/v1`,
    PETSTORE_KEY: keys.get(snippet.page) ?? keys.get('') ?? '',
    LC_ALL: 'C.UTF-8',
    // Whoever runs the tests may ask for colours; the pages show none.
    FORCE_COLOR: '0',
    ...store.operator.environment,
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const { stdout } = await run('env', [...settings, ...command], { cwd: folder.path, timeout: 60_000 });
  return stdout;
}

async function expectToDoAsSaid(snippet: Snippet, origin: string): Promise<void> {
  const printed = await output(snippet, origin);
  const said = snippet.prints ?? '';
  expect(printsAsSaid(said, printed) ? said : printed).toBe(said);
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
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
    expect(complaints).toBe('');
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
  )('%s', (_name, snippet) => expectToDoAsSaid(snippet, store.origin), 60_000);

  const left = snippets.length - runnable.length;
  if (left > 0) {
    it(`where its program is there: ${left} were read but not run, for want of ${missing.map((language) => NEEDS[language]).join(' and ')}`, () => {
      expect(missing).not.toContain('ts');
    });
  }
});

describe('a snippet that retries does what the page says when it is first refused', () => {
  const patient = runnable.filter(
    ({ page, language }) => page === 'retries.md' || (page === 'pages.md' && language !== 'sh'),
  );
  const error = (status: number, code: string) => ({
    status,
    headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
    body: JSON.stringify({ code, message: 'Made up.', status }),
  });

  it.each(
    patient.map((snippet) => [`${snippet.page}:${snippet.line} ${snippet.language}`, snippet] as const),
  )(
    '%s',
    async (_name, snippet) => {
      proxy.seen();
      proxy.next(
        { kind: 'answer', answer: error(429, 'rate_limit_exceeded') },
        { kind: 'answer-after-work', answer: error(503, 'service_unavailable') },
      );
      await expectToDoAsSaid(snippet, proxy.origin);
      const [first, second, third] = proxy.seen();
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
      expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(990);
    },
    60_000,
  );
});
