import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, Plan, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';

const limits = Plan.limitsOf('free');
/** A busy machine alone must not look like an outage. */
const PATIENT = { responseTimeoutMs: 1_000, probeDelayMs: 100 };

let subjects = 0;
const newKey = (): RateLimitSubject => ({ id: `key:refused-${++subjects}`, limits, bannable: true });

describe('a limiter whose Redis responds and does not do as it is told', () => {
  let server: TestRedis;
  let limiter: RateLimiter;
  let changes: ChangeLog;

  beforeEach(async () => {
    server = await startRedis();
    changes = new ChangeLog();
    limiter = await createRateLimiter({ redis: redisAt(server.url), observer: changes, timeouts: PATIENT });
  });

  afterEach(async () => {
    await limiter.close();
    await server.stop();
  });

  it('loses no decision to a server that forgets its scripts', async () => {
    const key = newKey();
    const observed = new Redis(server.url);
    for (let i = 0; i < 60; i++) {
      if (i % 7 === 0) await observed.script('FLUSH');
      expect((await limiter.charge(key)).admitted).toBe(true);
    }
    expect((await limiter.charge(key)).admitted).toBe(false);
    expect(changes.names).toEqual([]);
    observed.disconnect();
  });

  it('decides in the process when the memory of Redis is full, until there is room again', async () => {
    const observed = new Redis(server.url);
    await observed.config('SET', 'maxmemory-policy', 'noeviction');
    await observed.config('SET', 'maxmemory', '1');
    const key = newKey();
    expect((await limiter.charge(key)).admitted).toBe(true);
    expect(changes.reasons).toEqual([expect.stringContaining('OOM')]);
    // Redis does all but writes: that does not count as being back.
    await sleep(500);
    await limiter.charge(key);
    expect(changes.names).toEqual(['degraded']);
    await observed.config('SET', 'maxmemory', '0');
    await changes.wait('recovered');
    await limiter.charge(key);
    expect(await observed.exists(`petstore:limit:${key.id}`)).toBe(1);
    observed.disconnect();
  });

  it('decides in the process when Redis has become a replica, until it is a master again', async () => {
    const observed = new Redis(server.url);
    await observed.config('SET', 'replica-serve-stale-data', 'yes');
    await observed.replicaof('127.0.0.1', 1);
    expect((await limiter.charge(newKey())).admitted).toBe(true);
    expect(changes.names).toEqual(['degraded']);
    await observed.replicaof('NO', 'ONE');
    await changes.wait('recovered');
    observed.disconnect();
  });
});
