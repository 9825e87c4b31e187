import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, NodeProgram, startPetStore, type TemporaryFolder } from '@petstore/test-servers';
import { type Compiler, filesOf, pack, PackedApp, publishedLibs, readText } from './packed-app.js';
import { type ReadmeProgram, readmePrograms } from './readme-programs.js';

const PUBLISHED = ['api-key', 'client', 'pet-domain', 'portal-formats', 'rate-limit'];
/** Those that need no framework. */
const PLAIN = PUBLISHED.filter((lib) => lib !== 'api-key');
const FRAMEWORKS = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'express', 'fastify'],
  ...['reflect-metadata', 'rxjs', '@types/express'],
];
/** Of a program, its notes, its licence, and declarations; no source, no test. */
const SHIPPED =
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|lua\/\w+\.lua|commonjs\/package\.json|(?:commonjs\/)?dist\/[\w/.-]+\.(?:js|d\.ts))$/;
const MINUTES_MS = 300_000;

let tarballs: TemporaryFolder;
/** Has no peer of any lib. */
let plain: PackedApp;
/** Has the peers, which are optional for the limiter. */
let withFrameworks: PackedApp;
let programs: readonly ReadmeProgram[];

beforeAll(async () => {
  tarballs = await pack();
  plain = await PackedApp.install(tarballs, PLAIN, ['@types/node']);
  withFrameworks = await PackedApp.install(tarballs, PUBLISHED, [...FRAMEWORKS, '@types/node']);
  programs = (await Promise.all(PUBLISHED.map(readmePrograms))).flat();
}, MINUTES_MS);
afterAll(async () => {
  for (const folder of [tarballs, plain.folder, withFrameworks.folder]) await folder.remove();
});

it('no other lib is published', async () => {
  const libs = readdirSync(fileURLToPath(new URL('../../../libs', import.meta.url))).sort();
  expect(await publishedLibs(libs)).toEqual(PUBLISHED);
});

describe.each(PUBLISHED)('the tarball of %s', (lib) => {
  it('has programs, declarations, a README and a changelog, and nothing else', async () => {
    const files = await filesOf(lib, tarballs);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.d.ts']),
    );
    expect(files.filter((name) => !SHIPPED.test(name) || name.includes('.spec.'))).toEqual([]);
  });

  it('asks for what others have: frameworks as peers in a range, and the oldest Node.js', async () => {
    const { engines, scripts, dependencies, peerDependencies } = await withFrameworks.manifestOf(lib);
    expect(engines).toEqual({ node: `>=${(await readText('.nvmrc')).trim()}` });
    expect(scripts).toBeUndefined();
    const [fixed, ranges] = [Object.entries(dependencies ?? {}), Object.entries(peerDependencies ?? {})];
    expect(fixed.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(fixed.filter(([name]) => FRAMEWORKS.includes(name))).toEqual([]);
    expect(ranges.filter(([, range]) => !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
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
/** As an ES module, and as CommonJS, for which the client has a build of its own. */
const PROGRAMS = {
  'program.mts': `${CLIENT}
import { PetId } from '@petstore/pet-domain';
import { PETFINDER } from '@petstore/portal-formats';
import { createRateLimiter } from '@petstore/rate-limit';
console.log(PetId.parse('7'), typeof PETFINDER, typeof createRateLimiter);
`,
  'program.cts': `${CLIENT}
void (async () => {
  const { PetId } = await import('@petstore/pet-domain');
  const { PETFINDER } = await import('@petstore/portal-formats');
  const { createRateLimiter } = await import('@petstore/rate-limit');
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
      // Node.js could also load ES modules by require: the client's build for CommonJS must not need that.
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
    'takes the programs of the READMEs, with the frameworks that they name',
    async () => {
      const sources = programs.map(({ file, code }): [string, string] => [file, code]);
      const said = await withFrameworks.compile(compiler, compiler, Object.fromEntries(sources));
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
  const fileOf = (name: string): string => join(withFrameworks.path, 'newest', `${name}.js`);

  it.each(['pet-domain-main', 'portal-formats-main'])('%s prints what the page says', async (name) => {
    const { prints } = programs.find(({ file }) => file.startsWith(name)) ?? {};
    expect(await withFrameworks.output(`newest/${name}.js`)).toBe(prints);
  });

  it(
    'client-main lists the animal that it has added',
    async () => {
      const { code = '' } = programs.find(({ file }) => file === 'client-main.ts') ?? {};
      const store = await startPetStore();
      try {
        const key = await store.issueKey();
        const text = code.replace('http://127.0.0.1:3000', store.origin).replace('pet_...', key);
        expect(await withFrameworks.compile('client', 'newest', { 'main.ts': text })).toBe('');
        expect(await withFrameworks.output('client/main.js')).toMatch(/^\d+n Rex\n/);
      } finally {
        await store.stop();
      }
    },
    MINUTES_MS,
  );

  /** Runs a server of a README on a free port, until the test of it has ended. */
  async function serve(
    name: string,
    test: (origin: string, output: () => string) => Promise<void>,
  ): Promise<number | string> {
    const port = await freePort();
    const log = join(withFrameworks.path, `${name}.log`);
    const program = new NodeProgram(fileOf(name), { env: { PORT: String(port) }, log });
    try {
      await program.untilReady(() => listens(port));
      await test(`http://127.0.0.1:${port}`, () => program.output);
    } finally {
      await program.stop();
    }
    return program.stop();
  }

  // Nest ends a program by the signal that it was sent, once everything is closed.
  it.each([
    ['rate-limit-nest', 'SIGTERM'],
    ['rate-limit-express', 0],
    ['rate-limit-fastify', 0],
    ['rate-limit-plain', 0],
  ])('%s limits its clients', async (name, end) => {
    const ended = await serve(name, async (origin) => {
      const get = (): Promise<Response> => fetch(origin, { headers: { connection: 'close' } });
      const [first, second, third] = [await get(), await get(), await get()];
      expect(await first.text()).toBe('hello');
      expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
      expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60, "day";q=1000;w=86400');
      expect(third.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(50);
      expect(await third.json()).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    });
    expect(ended).toBe(end);
  });

  it('api-key-main asks for the key that it prints, and logs no error', async () => {
    await serve('api-key-main', async (origin, output) => {
      const key = /Bearer (pet_live_\w+)/.exec(output())?.[1] ?? '';
      const ask = async (method: string, secret?: string): Promise<[number, string | null, unknown]> => {
        const headers: Record<string, string> =
          secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
        const response = await fetch(`${origin}/cats`, { method, headers });
        return [response.status, response.headers.get('WWW-Authenticate'), await response.json()];
      };
      const refused = (status: number, code: string) => ({ statusCode: status, code });
      const realm = 'Bearer realm="api"';
      expect(await ask('GET')).toEqual([401, realm, refused(401, 'missing_api_key')]);
      expect(await ask('GET', 'made-up')).toEqual([
        ...[401, `${realm}, error="invalid_token"`, refused(401, 'invalid_api_key')],
      ]);
      expect(await ask('GET', key)).toEqual([200, null, ['Tom']]);
      expect(await ask('POST', key)).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="cats:write", realm="api"',
        refused(403, 'insufficient_scope'),
      ]);
      expect(output()).not.toMatch(/ERROR|Exception/);
    });
  });
});

/** Whether something listens on a port; sends no request, which a program may count. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => {
      resolve(false);
    });
  });
}
