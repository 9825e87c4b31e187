import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, NodeProgram, startRedis, type TestRedis } from '@petstore/test-servers';
import { type Compiler, FRAMEWORKS, PackedApp } from './packed-app.js';
import { asCommonJs, readmePrograms } from './readme-programs.js';

const LIBS = ['api-key', 'rate-limit'];
const MINUTES_MS = 300_000;

let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
}, MINUTES_MS);
afterAll(() => redis.stop());

/** What an application has. */
interface Setup {
  readonly peers: 'newest' | 'oldest';
  readonly compiler: Compiler;
  readonly type: 'module' | 'commonjs';
  readonly nodeOptions?: string;
  /** Of the compiler. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Each of the newest and the oldest peers, compilers and kinds of modules at least once. */
const SETUPS: readonly Setup[] = [
  // The frameworks' own declarations take the old compiler 9 s.
  { peers: 'newest', compiler: '5.6', type: 'module', options: { skipLibCheck: true } },
  // The newest Nest is ES modules alone, which Node.js loads by require.
  { peers: 'newest', compiler: 'newest', type: 'commonjs' },
  {
    ...{ peers: 'oldest', compiler: '5.6', type: 'commonjs' },
    nodeOptions: '--no-experimental-require-module',
    // The oldest way to find modules.
    options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
  },
];

/** Counts on a Redis, and says which requests it admits, and why it does not count there. */
const ON_REDIS = (url: string, id: string): string => `import { Redis } from 'ioredis';
import { createRateLimiter } from '@petstore/rate-limit';

const limiter = await createRateLimiter({
  redis: new Redis('${url}', { lazyConnect: true }),
  observer: { degraded: ({ reason }) => console.log(reason) },
});
const subject = { id: '${id}', limits: { perMinute: 2, perDay: 9 } };
for (let n = 1; n <= 3; n++) console.log((await limiter.consume(subject)).admitted);
await limiter.close();
`;

const JEST_TEST = `const { createRateLimiter } = require('@petstore/rate-limit');
const { RateLimitModule } = require('@petstore/rate-limit/nest');
const { fastifyRateLimit } = require('@petstore/rate-limit/fastify');
const { ApiKeyModule } = require('@petstore/api-key');
const { InMemoryApiKeyStore } = require('@petstore/api-key/testing');

test('loads both libs', () => {
  for (const one of [createRateLimiter, RateLimitModule, fastifyRateLimit, ApiKeyModule, InMemoryApiKeyStore])
    expect(typeof one).toBe('function');
});
`;

describe.each(SETUPS)(
  '$peers peers, TypeScript $compiler, $type',
  ({ peers, compiler, type, nodeOptions, options }) => {
    let app: PackedApp;
    const flags = nodeOptions === undefined ? [] : [nodeOptions];

    beforeAll(async () => {
      const isOldest = peers === 'oldest';
      app = await PackedApp.install(
        LIBS,
        ...[['@types/node', ...(isOldest ? [] : FRAMEWORKS)], isOldest ? FRAMEWORKS : []],
      );
    }, MINUTES_MS);
    afterAll(() => app.folder.remove());

    const programs = async (): Promise<Record<string, string>> => {
      const shown = (await Promise.all(LIBS.map(readmePrograms))).flat();
      const files = new Map(shown.map(({ file, code }) => [file, code]));
      files.set('on-redis.ts', ON_REDIS(redis.url, `${peers}-${type}`));
      files.set('refused.ts', ON_REDIS(`${redis.url}/99`, `refused-${peers}-${type}`));
      const adapt = type === 'module' ? (code: string) => code : asCommonJs;
      return Object.fromEntries([...files].map(([file, code]) => [file, adapt(code)]));
    };

    it(
      'compiles the programs of the READMEs',
      async () => {
        expect(await app.compile('programs', compiler, await programs(), options, type)).toBe('');
      },
      MINUTES_MS,
    );

    /** Runs a server of a README on a free port, until the test of it has ended. */
    async function serve(
      name: string,
      test: (origin: string, output: () => string) => Promise<void>,
    ): Promise<number | string> {
      const port = await freePort();
      const log = join(app.path, `${name}.log`);
      const env = { PORT: String(port), NODE_OPTIONS: nodeOptions };
      const program = new NodeProgram(join(app.path, 'programs', `${name}.js`), { env, log });
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
        const refused = (status: number, code: string): object => ({
          status,
          code,
          message: expect.any(String),
        });
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

    it('shares what a Redis counts with the next process', async () => {
      const run = (): Promise<string> => app.output('programs/on-redis.js', flags);
      expect(await run()).toBe('true\ntrue\nfalse\n');
      expect(await run()).toBe('false\nfalse\nfalse\n');
    });

    it('counts in no other database than that which it was given, and says why', async () => {
      const said = await app.output('programs/refused.js', flags);
      expect(said).toBe('ERR DB index is out of range\ntrue\ntrue\nfalse\n');
      const client = new Redis(redis.url);
      expect(await client.keys('*refused*')).toEqual([]);
      client.disconnect();
    });

    if (peers === 'oldest' && type === 'commonjs') {
      it('is loaded by Jest, which loads no ES modules', async () => {
        expect(await app.jest('jest', JEST_TEST)).toContain('Tests:       1 passed, 1 total');
      });
    }
  },
);

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
