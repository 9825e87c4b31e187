import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { contractTypes } from '../contract-types.mjs';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const compilerIn = (name: string): string => join(PROJECT, 'node_modules', name, 'bin/tsc');
const TYPESCRIPT_6 = compilerIn('typescript');
const TYPESCRIPT_7 = join(PACKAGES, 'typescript/bin/tsc');

/** A program that the compiler makes an ES module or CommonJS of, as its project says. */
const PROGRAM = `import { isApiError, type Pet, PetStoreClient, PreconditionFailedError } from '@petstore/client';

const client = new PetStoreClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'none', maxRetries: 0 });
const first = async (): Promise<Pet | undefined> => {
  for await (const pet of client.pets({ status: 'available' })) return pet;
  return undefined;
};
first().catch((error: unknown) => {
  if (isApiError(error, 'rate_limit_exceeded')) console.log(error.details.retryAfter);
  console.log(error instanceof PreconditionFailedError, (error as Error).name);
});
`;

/** In strict mode; the files of TypeScript itself need no check. */
async function compile(compiler: string, cwd: string, options: readonly string[]): Promise<void> {
  const strict = ['--strict', '--skipDefaultLibCheck', '--target', 'es2022'];
  const lib = ['--lib', 'es2022,dom,dom.iterable'];
  await run(process.execPath, [compiler, 'program.ts', ...strict, ...lib, ...options], { cwd });
}

const json = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;

let folder: TemporaryFolder;
let installed: string;

beforeAll(async () => {
  folder = await temporaryFolder('client-package');
  installed = join(folder.path, 'node_modules/@petstore/client');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], {
    cwd: PROJECT,
  });
  const [{ filename } = { filename: '' }] = JSON.parse(stdout) as { filename: string }[];
  await mkdir(installed, { recursive: true });
  // What npm does with a package that needs no other one.
  await run('tar', ['-xzf', join(folder.path, filename), '-C', installed, '--strip-components=1']);
}, 60_000);
afterAll(() => folder.remove());

describe('the package of the client', () => {
  it('brings its programs, its types, a README, and no other package', async () => {
    expect((await readdir(installed)).sort()).toEqual(['README.md', 'commonjs', 'dist', 'package.json']);
    expect((await readdir(join(installed, 'commonjs'))).sort()).toEqual(['dist', 'package.json']);
    for (const folder of ['dist', 'commonjs/dist']) {
      const files = await readdir(join(installed, folder));
      expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name))).toEqual([]);
      expect(files.filter((name) => name.includes('.spec.'))).toEqual([]);
    }
    const needed = Object.keys(await json(join(installed, 'package.json'))).filter((name) =>
      /^\w*dependencies$/i.test(name),
    );
    expect(needed).toEqual(['devDependencies']);
  });

  it('is tiny', async () => {
    const dist = join(installed, 'dist');
    const programs = (await readdir(dist)).filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(programs.map(async (name) => (await stat(join(dist, name))).size));
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(64_000);
  });

  it('is required in a plain folder, without a compiler', async () => {
    const program = join(folder.path, 'plain.cjs');
    await writeFile(
      program,
      "const { PetStoreClient, toJson } = require('@petstore/client');\n" +
        "new PetStoreClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'none' });\n" +
        "console.log(toJson({ id: 9007199254740993n }), require.resolve('@petstore/client').includes('commonjs'));\n",
    );
    // Node.js could also load ES modules by require: the build for CommonJS must not need that.
    const { stdout } = await run(process.execPath, ['--no-experimental-require-module', program], {
      cwd: folder.path,
      // A variable that asks for colours would colour what is compared.
      env: {},
    });
    expect(stdout).toBe('{"id":9007199254740993} true\n');
  });

  it.each([
    ['nodenext', 'module', TYPESCRIPT_7, ['--module', 'nodenext']],
    ['a bundler', 'module', TYPESCRIPT_7, ['--module', 'esnext', '--moduleResolution', 'bundler']],
    // The strictest one: it requires no ES module.
    ['node16', 'commonjs', TYPESCRIPT_7, ['--module', 'node16', '--moduleResolution', 'node16']],
    // The last compiler that has this one. Its own look at the types of the package costs seconds; the compilers of
    // today have looked at them.
    [
      'node10',
      'commonjs',
      TYPESCRIPT_6,
      '--module commonjs --moduleResolution node10 --ignoreDeprecations 6.0 --skipLibCheck'.split(' '),
    ],
  ])(
    'compiles in strict mode for %s as %s, and its errors can be told apart when it runs',
    async (name, type, compiler, options) => {
      const project = join(folder.path, `for ${name}`);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), JSON.stringify({ type }));
      await writeFile(join(project, 'program.ts'), PROGRAM);
      await compile(compiler, project, options);
      const program = await readFile(join(project, 'program.js'), 'utf8');
      expect(program).toContain(
        type === 'module' ? "from '@petstore/client'" : 'require("@petstore/client")',
      );
      const { stdout } = await run(process.execPath, ['program.js'], { cwd: project, env: {} });
      expect(stdout).toBe('false NoAnswerError\n');
    },
    60_000,
  );

  it.each([
    ['5.6', compilerIn('typescript-5.6')],
    ['5.9', compilerIn('typescript-5.9')],
    ['6.0', TYPESCRIPT_6],
    ['7.0', TYPESCRIPT_7],
  ])(
    'has declarations that TypeScript %s takes with the oldest library',
    async (version, compiler) => {
      const { stdout } = await run(process.execPath, [compiler, '--version']);
      expect(stdout).toContain(`Version ${version}.`);
      const project = join(folder.path, `for ${version}`);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{ "type": "module" }');
      await writeFile(join(project, 'program.ts'), PROGRAM);
      await compile(compiler, project, ['--module', 'nodenext', '--noEmit', '--lib', 'es2021,dom']);
    },
    120_000,
  );

  it('names for its engine the oldest Node.js that the tests run on', async () => {
    const { engines } = await json(join(installed, 'package.json'));
    const oldest = await readFile(new URL('../../../.nvmrc', import.meta.url), 'utf8');
    expect(engines).toEqual({ node: `>=${oldest.trim()}` });
  });

  it('has the types of the committed document; `npm run openapi` writes them anew', async () => {
    const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
    const types = await contractTypes(await read('../../../docs/openapi.json'));
    expect(types).toBe(await read('../src/contract.generated.ts'));
  });
});
