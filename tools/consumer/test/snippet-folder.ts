import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-servers';
import { type Language, sharedCodeOf, type Snippet, snippetsOf } from '../src/snippets.js';

const run = promisify(execFile);
const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(WORKSPACE, 'node_modules/typescript/bin/tsc');

export const GUIDE = join(WORKSPACE, 'docs/guide');

/** What a snippet of each language needs of the machine; TypeScript needs what runs these tests. */
export const NEEDS: Readonly<Record<Language, string>> = {
  sh: 'curl',
  ts: process.execPath,
  python: 'python3',
};

/** The text of each page of the guide, by file name. */
export async function readGuide(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const page of (await readdir(GUIDE)).sort()) {
    if (page.endsWith('.md')) texts.set(page, await readFile(join(GUIDE, page), 'utf8'));
  }
  return texts;
}

export function snippetsOfGuide(texts: ReadonlyMap<string, string>): Snippet[] {
  return [...texts].flatMap(([page, text]) => snippetsOf(page, text));
}

/** Whether the machine has what snippets of this language need. */
export function isRunnable(language: Language): boolean {
  try {
    execFileSync(NEEDS[language], ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Snippets as files of a project that has the client, the TypeScript ones compiled. */
export interface SnippetFolder {
  readonly path: string;
  /** What the compiler complained of. */
  readonly complaints: string;
  /** Program and arguments that run a snippet; the folder is to be the working directory. */
  command(snippet: Snippet): [string, ...string[]];
  remove(): Promise<void>;
}

export async function makeSnippetFolder(snippets: readonly Snippet[]): Promise<SnippetFolder> {
  const folder = await temporaryFolder('guide');
  await mkdir(join(folder.path, 'node_modules/@petstore'), { recursive: true });
  await symlink(join(WORKSPACE, 'libs/client'), join(folder.path, 'node_modules/@petstore/client'));
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  const shared = sharedCodeOf(await readFile(join(GUIDE, 'retries.md'), 'utf8'));
  await writeFile(join(folder.path, 'petstore.py'), shared);
  for (const snippet of snippets) await writeFile(join(folder.path, fileOf(snippet)), snippet.code);
  const files = snippets.filter(({ language }) => language === 'ts').map(fileOf);
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const complaints = await compile(folder.path, files, strict);
  return {
    path: folder.path,
    complaints,
    command: (snippet) => {
      const file = fileOf(snippet);
      switch (snippet.language) {
        case 'sh':
          return ['sh', '-c', `PATH="${folder.path}/bin:$PATH" exec sh -eu ${file}`];
        case 'ts':
          return [process.execPath, file.replace(/\.ts$/, '.js')];
        case 'python':
          return ['python3', file];
      }
    },
    remove: () => folder.remove(),
  };
}

/** Compiles TypeScript files of a folder at once; what the compiler complains of. */
export async function compile(
  cwd: string,
  files: readonly string[],
  strict: readonly string[],
): Promise<string> {
  const lib = ['--lib', 'es2022,dom,dom.iterable'];
  const types = ['--typeRoots', join(WORKSPACE, 'node_modules/@types'), '--types', 'node'];
  const target = ['--target', 'es2022', '--module', 'nodenext', '--moduleDetection', 'force'];
  // The files of TypeScript itself need no check.
  const words = [TSC, ...files, '--skipDefaultLibCheck', ...strict, ...target, ...lib, ...types];
  const { stdout } = await run(process.execPath, words, { cwd }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout;
}

function fileOf({ page, line, language }: Snippet): string {
  return `${page.replace('.md', '')}-${line}.${language === 'python' ? 'py' : language}`;
}
