import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { redisAt } from './redis-at.js';

const START = 1_700_000_000_000;
const SUBJECT: RateLimitSubject = { id: 'key:a', limits: { perMinute: 3, perDay: 50 }, bannable: true };

/**
 * The value after {@link history}, as version 1.0.0 wrote it, but for its first byte, which is by chance. While a new
 * version is rolled out, both work on the same values: if this changes, so must the prefix of the keys.
 */
const WRITTEN_BY_1_0_0 =
  '001048d3febc78420000000000000000000000000000030000000400000000a092d0febc78420000000001000000040000000500000000a08056febc784202000000003094d0febc78420300000000000000010000000400000003000000009098d0febc784202000000001048d3febc7842010000002a092f09430900000a68e5cf02000000000000000000000000000000000000008909edcf0200000000000000000000000000000000000000';

let server: TestRedis;
let observed: Redis;
let limiter: RateLimiter;
let now = START;

beforeAll(async () => {
  server = await startRedis();
  observed = new Redis(server.url);
  const timeouts = { responseTimeoutMs: 5_000, probeDelayMs: 200 };
  limiter = await createRateLimiter({ redis: redisAt(server.url), clock: () => now, timeouts });
});
afterAll(async () => {
  await limiter.close();
  observed.disconnect();
  await server.stop();
});

async function history(): Promise<void> {
  for (const afterMs of [0, 10, 500_000, 5, 20, 30, 40, 11_000]) {
    now += afterMs;
    await limiter.charge(SUBJECT);
  }
}

it('writes the values that the version before reads, under the same names', async () => {
  now = START;
  await history();
  const value = await observed.getBuffer('petstore:limit:key:a');
  expect(value?.subarray(1).toString('hex')).toBe(WRITTEN_BY_1_0_0);
});

it('goes on from the values that the version before wrote', async () => {
  await observed.set('petstore:limit:key:b', Buffer.from(`07${WRITTEN_BY_1_0_0}`, 'hex'));
  now = START + 511_105;
  expect(await limiter.peek({ ...SUBJECT, id: 'key:b' })).toMatchObject({
    admitted: false,
    minuteRemaining: 0,
    minuteResetMs: 48_905,
    dayRemaining: 45,
  });
});
