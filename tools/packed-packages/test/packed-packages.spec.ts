import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPetStore } from '@petstore/test-servers';
import {
  type Compiler,
  filesOf,
  FRAMEWORKS,
  PackedApp,
  PUBLISHED,
  publishedLibs,
  readText,
} from './packed-app.js';
import { type ReadmeProgram, readmePrograms } from './readme-programs.js';

/** Those that know no framework; the programs of the others run in `peers.spec.ts`. */
const PLAIN = ['client', 'pet-domain', 'portal-formats'];
/** Of a program, its notes, its licence, and declarations; no source, no test. */
const SHIPPED =
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|commonjs\/package\.json|(?:commonjs\/)?dist\/[\w/.-]+\.(?:js|d\.ts))$/;
const MINUTES_MS = 300_000;

/** Has no peer of any lib: those of the limiter are optional. */
let plain: PackedApp;
let programs: readonly ReadmeProgram[];

beforeAll(async () => {
  plain = await PackedApp.install(PUBLISHED, ['@types/node']);
  programs = (await Promise.all(PLAIN.map(readmePrograms))).flat();
}, MINUTES_MS);
afterAll(() => plain.folder.remove());

it('no other lib is published', async () => {
  const libs = readdirSync(fileURLToPath(new URL('../../../libs', import.meta.url))).sort();
  expect(await publishedLibs(libs)).toEqual(PUBLISHED);
});

describe.each(PUBLISHED)('the tarball of %s', (lib) => {
  it('has programs, declarations, a README and a changelog, and nothing else', async () => {
    const files = await filesOf(lib);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.d.ts']),
    );
    expect(files.filter((name) => !SHIPPED.test(name) || name.includes('.spec.'))).toEqual([]);
  });

  it('asks for what others have: frameworks as peers in a range, and the oldest Node.js', async () => {
    const { engines, scripts, dependencies, peerDependencies } = await plain.manifestOf(lib);
    expect(engines).toEqual({ node: `>=${(await readText('.nvmrc')).trim()}` });
    expect(scripts).toBeUndefined();
    const [fixed, ranges] = [Object.entries(dependencies ?? {}), Object.entries(peerDependencies ?? {})];
    expect(fixed.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(fixed.filter(([name]) => FRAMEWORKS.includes(name))).toEqual([]);
    // Of each major version that works, from the first release that does.
    const range = /^\^\d+\.\d+\.\d+(?: \|\| \^\d+\.0\.0)?$/;
    expect(ranges.filter(([, versions]) => !range.test(versions))).toEqual([]);
  });
});

it('the client is tiny, and needs no other package', async () => {
  const { dependencies, peerDependencies } = await plain.manifestOf('client');
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  const dist = join(plain.path, 'node_modules/@petstore/client/dist');
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
  expect(scripts.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)).toBeLessThan(64_000);
});

const CLIENT = `import { isApiError, type Pet, PetStoreClient } from '@petstore/client';

const client = new PetStoreClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'none', maxRetries: 0 });
const first = async (): Promise<Pet | undefined> => {
  for await (const pet of client.pets({ status: 'available' })) return pet;
  return undefined;
};
void first().catch((error: unknown) => {
  console.log(isApiError(error, 'rate_limit_exceeded'), (error as Error).name);
});
`;
/** As an ES module, and as CommonJS, for which the client and the limiter have a build of their own. */
const PROGRAMS = {
  'program.mts': `${CLIENT}
import { PetId } from '@petstore/pet-domain';
import { PETFINDER } from '@petstore/portal-formats';
import { createRateLimiter } from '@petstore/rate-limit';
console.log(PetId.parse('7'), typeof PETFINDER, typeof createRateLimiter);
`,
  'program.cts': `${CLIENT}
import { createRateLimiter } from '@petstore/rate-limit';
void (async () => {
  const { PetId } = await import('@petstore/pet-domain');
  const { PETFINDER } = await import('@petstore/portal-formats');
  console.log(PetId.parse('7'), typeof PETFINDER, typeof createRateLimiter);
})();
`,
};

describe.each<[Compiler]>([['5.6'], ['newest']])('TypeScript %s', (compiler) => {
  it(
    'takes ES modules and CommonJS without any peer, and both run',
    async () => {
      const folder = `plain-${compiler}`;
      expect(await plain.compile(folder, compiler, PROGRAMS)).toBe('');
      // Node.js could also load ES modules by require: the builds for CommonJS must not need that.
      const flags = ['--no-experimental-require-module'];
      for (const file of ['program.mjs', 'program.cjs'])
        expect((await plain.output(`${folder}/${file}`, flags)).split('\n').sort()).toEqual([
          '',
          '7 object function',
          'false NoResponseError',
        ]);
    },
    MINUTES_MS,
  );

  it(
    'takes the programs of the READMEs',
    async () => {
      const sources = programs.map(({ file, code }): [string, string] => [file, code]);
      const said = await plain.compile(compiler, compiler, Object.fromEntries(sources));
      expect(said).toBe('');
    },
    MINUTES_MS,
  );
});

describe('the client', () => {
  it.each<[string, Compiler, string, Record<string, unknown>]>([
    ['a bundler', 'newest', 'module', { module: 'esnext', moduleResolution: 'bundler' }],
    ['the oldest way to find modules', '5.6', 'commonjs', { module: 'commonjs', moduleResolution: 'node10' }],
  ])(
    'compiles for %s, with the oldest library that it is for',
    async (name, compiler, type, options) => {
      const said = await plain.compile(
        name,
        compiler,
        { 'program.ts': CLIENT },
        { ...options, lib: ['es2021', 'dom'], types: [] },
        type,
      );
      expect(said).toBe('');
      expect(await plain.output(`${name}/program.js`)).toBe('false NoResponseError\n');
    },
    MINUTES_MS,
  );
});

describe('a program of a README', () => {
  it.each(['pet-domain-main', 'portal-formats-main'])('%s prints what the page says', async (name) => {
    const { prints } = programs.find(({ file }) => file.startsWith(name)) ?? {};
    expect(await plain.output(`newest/${name}.js`)).toBe(prints);
  });

  it(
    'client-main lists the animal that it has added',
    async () => {
      const { code = '' } = programs.find(({ file }) => file === 'client-main.ts') ?? {};
      const store = await startPetStore();
      try {
        const key = await store.issueKey();
        const text = code.replace('http://127.0.0.1:3000', store.origin).replace('pet_...', key);
        expect(await plain.compile('client', 'newest', { 'main.ts': text })).toBe('');
        expect(await plain.output('client/main.js')).toMatch(/^\d+n Rex\n/);
      } finally {
        await store.stop();
      }
    },
    MINUTES_MS,
  );
});
