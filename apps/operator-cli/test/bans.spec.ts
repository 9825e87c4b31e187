import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRateLimiter, type RateLimiter, type RateLimitSubject } from '@petstore/rate-limit';
import { createRedisClient } from '@petstore/api-key/redis';
import { startRedis, startTestPostgres, type TestPostgres, type TestRedis } from '@petstore/test-servers';
import { createProgram } from '../src/keys/keys.program.js';
import { run } from '../src/run.js';

let postgres: TestPostgres;
let redis: TestRedis;
let limiter: RateLimiter;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startTestPostgres(), startRedis()]);
  limiter = await createRateLimiter({
    redis: createRedisClient([redis.url], { lazyConnect: true }),
    // Tests beside it want the cores too: what was counted in the process would not be in Redis.
    timeouts: { responseTimeoutMs: 5_000, probeDelayMs: 200 },
  });
});
afterAll(async () => {
  await limiter.close();
  await Promise.all([postgres.stop(), redis.stop()]);
});

async function key(...args: string[]): Promise<string> {
  const { exit, err, out } = await ended(...args);
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  return out;
}

async function ended(...args: string[]): Promise<{ exit: number; err: string; out: string }> {
  let out = '';
  let err = '';
  const exit = await run(createProgram, args, {
    environment: {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      API_KEY_PEPPER: 'the pepper of these tests',
    },
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: Readable.from([]),
    interactive: false,
    progress: false,
    colour: false,
    user: 'anna',
  });
  return { exit, err, out };
}

interface KeyObject {
  readonly id: string;
  readonly bannedUntil: string | null;
  readonly now?: { readonly lastMinute: number; readonly lastDay: number };
}
const json = async (...args: string[]): Promise<KeyObject> =>
  JSON.parse(await key(...args, '--json')) as KeyObject;

it('shows what the limiter says of a key at this moment, its ban too, and lifts it', async () => {
  const { id } = await json('create', '--name', 'shop', '--plan', 'free');
  const subject: RateLimitSubject = {
    id: `key:${id}`,
    limits: { perMinute: 60, perDay: 1_000 },
    bannable: true,
  };
  for (let i = 0; i < 12; i++) await limiter.charge(subject);
  expect(await json('show', id)).toMatchObject({ bannedUntil: null, now: { lastMinute: 12, lastDay: 12 } });
  expect(await key('show', id)).toContain('██░░░░░░░░ 12 / 60');

  // 60 are admitted; a hundred refusals within five minutes bring the ban.
  let verdict = await limiter.charge(subject);
  for (let i = 0; i < 200 && verdict.banMs === 0; i++) verdict = await limiter.charge(subject);
  expect(verdict.banMs).toBeGreaterThan(0);
  const { bannedUntil } = await json('show', id);
  expect((Date.parse(bannedUntil ?? '') - Date.now()) / 1_000).toBeCloseTo(300, -1);
  expect(await key('show', id)).toContain(`npm run key -- unban ${id}`);

  await key('unban', id);
  expect(await limiter.banOf(subject.id)).toBeUndefined();
  expect((await json('show', id)).bannedUntil).toBeNull();
});

it('shows the rest when Redis is unavailable, and lifts no ban', async () => {
  const { id } = await json('create', '--name', 'shop', '--plan', 'free');
  await redis.kill();
  const shown = await json('show', id);
  expect(shown).toMatchObject({ id, bannedUntil: null });
  expect(shown.now).toBeUndefined();
  expect(await ended('unban', id)).toEqual({
    exit: 1,
    err: expect.stringContaining('the key may still be banned'),
    out: '',
  });
  expect(await key('revoke', id)).toContain('follow within 10 seconds');
  await redis.start();
});
