import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, Plan, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';

const limits = Plan.limitsOf('free');

let subjects = 0;
const newKey = (): RateLimitSubject => ({ id: `key:store-${++subjects}`, limits, bannable: true });

const admittedOf = async (limiter: RateLimiter, key: RateLimitSubject, attempts: number): Promise<number> => {
  const results = await Promise.all(Array.from({ length: attempts }, () => limiter.charge(key)));
  return results.filter(({ admitted }) => admitted).length;
};

let server: TestRedis;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis({ settings: ['--maxmemory-policy', 'noeviction'] });
  admin = new Redis(server.url, { retryStrategy: () => 20 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

describe('a limiter on a Redis that is well', () => {
  let limiter: RateLimiter;
  let changes: ChangeLog;

  beforeEach(async () => {
    changes = new ChangeLog();
    limiter = await createRateLimiter({ redis: redisAt(server.url), observer: changes });
  });
  afterEach(async () => {
    await limiter.close();
    expect(changes.names).toEqual([]);
  });

  it('replaces values of other programs', async () => {
    const [list, text] = [newKey(), newKey()];
    await admin.lpush(`petstore:limit:2:${list.id}`, 'a list');
    await admin.set(`petstore:limit:2:${text.id}`, 'a text');
    for (const key of [list, text]) expect(await admittedOf(limiter, key, 70)).toBe(60);
  });

  it('does not take a busy process for an absent Redis', async () => {
    const key = newKey();
    await limiter.charge(key);
    const result = limiter.charge(key);
    // Past the end of this tick the call is on its way; then this process does something else for long.
    await new Promise(setImmediate);
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect((await result).minute.remaining).toBe(58);
  });

  it('sends the decisions of one tick as one call', async () => {
    await admin.config('RESETSTAT');
    for (let tick = 0; tick < 5; tick++) {
      await Promise.all(Array.from({ length: 100 }, () => limiter.charge(newKey())));
    }
    expect(await admin.info('commandstats')).toContain('cmdstat_evalsha:calls=5,');
  });

  it('keeps little of a subject seen once, and for as long as it matters', async () => {
    await limiter.charge(newKey());
    const key = `petstore:limit:2:key:store-${subjects}`;
    const address = { id: 'address:192.0.2.1', limits: { perMinute: 300, perDay: 10_000 }, bannable: false };
    for (let i = 0; i < 11; i++) {
      await limiter.charge({ ...address, numerous: true });
      if (i === 9)
        expect(await admin.pttl(`petstore:limit:2:${address.id}`)).toBeLessThanOrEqual(3_600_000 + 432_000);
    }
    expect(await admin.memory('USAGE', key)).toBeLessThanOrEqual(300);
    for (const name of [key, `petstore:limit:2:${address.id}`]) {
      expect(await admin.pttl(name)).toBeGreaterThan(86_400_000);
    }
  });
});
