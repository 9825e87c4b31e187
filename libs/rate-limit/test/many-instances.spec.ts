import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, Plan, type RateLimiter } from '../src/index.js';
import { redisAt } from './redis-at.js';

const run = promisify(execFile);
const limits = Plan.limitsOf('free');

/** Another process of the service: it charges one key as often as it can and prints how often it might. */
const OTHER_PROCESS = `
const [library, ioredis, redisUrl, id, requests] = process.argv.slice(1);
const { createRateLimiter, Plan } = await import(library);
const { Redis } = await import(ioredis);
const redis = new Redis(redisUrl, { lazyConnect: true });
const limiter = await createRateLimiter({ redis, timeouts: { responseTimeoutMs: 10_000, probeDelayMs: 200 } });
let admitted = 0;
const subject = { id, limits: Plan.limitsOf('free'), bannable: true };
for (let left = Number(requests); left > 0; left -= 10) {
  const results = await Promise.all(Array.from({ length: 10 }, () => limiter.charge(subject)));
  admitted += results.filter((result) => result.admitted).length;
}
process.stdout.write(String(admitted));
await limiter.close();
`;

describe('many instances on one Redis', () => {
  let server: TestRedis;
  let observed: Redis;
  let limiters: RateLimiter[];
  let first: RateLimiter;
  let second: RateLimiter;
  /** Only what is decided counts here, on however busy a machine. */
  const timeouts = { responseTimeoutMs: 2_000, probeDelayMs: 200 };

  beforeAll(async () => {
    server = await startRedis();
    observed = new Redis(server.url);
    first = await createRateLimiter({ redis: redisAt(server.url), timeouts });
    second = await createRateLimiter({ redis: redisAt(server.url), timeouts });
    limiters = [first, second];
  });

  afterAll(async () => {
    for (const limiter of limiters) await limiter.close();
    observed.disconnect();
    await server.stop();
  });

  it('share each limit exactly', async () => {
    const subject = { id: 'key:shared', limits, bannable: true };
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? first : second).charge(subject)),
    );
    expect(results.filter((result) => result.admitted)).toHaveLength(60);
  });

  it('share each limit exactly in processes of their own', async () => {
    const ioredis = pathToFileURL(createRequire(import.meta.url).resolve('ioredis')).href;
    const library = new URL('../dist/index.js', import.meta.url).href;
    const admitted = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const args = [
          '--input-type=module',
          '-e',
          OTHER_PROCESS,
          library,
          ioredis,
          server.url,
          'key:processes',
          '300',
        ];
        return Number((await run(process.execPath, args)).stdout);
      }),
    );
    expect(admitted.reduce((sum, each) => sum + each)).toBe(60);
  });

  it('see and lift the same ban', async () => {
    const subject = { id: 'key:banned', limits, bannable: true };
    await Promise.all(Array.from({ length: 160 }, () => first.charge(subject)));
    expect(await second.banOf(subject.id)).toMatchObject({ count: 1 });
    expect(await second.liftBan(subject.id)).toBe(true);
    expect((await first.charge(subject)).refusal).toBe('rate_limit_exceeded');
  });

  it('each send the decisions of one turn as one call', async () => {
    const charge = (turn: number, i: number) =>
      first.charge({ id: `key:turn-${turn}-${i}`, limits, bannable: true });
    await observed.config('RESETSTAT');
    for (let turn = 0; turn < 5; turn++) {
      const results = await Promise.all(Array.from({ length: 100 }, (_, i) => charge(turn, i)));
      expect(results.every((result) => result.admitted)).toBe(true);
    }
    expect(await observed.info('commandstats')).toContain('cmdstat_evalsha:calls=5,');
  });
});
