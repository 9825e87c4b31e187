import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import {
  createRateLimiter,
  Plan,
  type RateLimiter,
  type RateLimitSubject,
  type RateLimitResult,
  type RedisTimeouts,
} from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';

const limits = Plan.limitsOf('free');
/** What an outage may add to a request, and what a busy test machine may add to that. */
const MOST_ADDED_MS = 50;
const SLACK_MS = 150;
/** For what is told by an error or a lost connection: a busy machine alone must not look like an outage. */
const PATIENT = { responseTimeoutMs: 1_000, probeDelayMs: 100 };

let subjects = 0;
const newKey = (): RateLimitSubject => ({ id: `key:unavailable-${++subjects}`, limits, bannable: true });

describe('a limiter whose Redis becomes unavailable', () => {
  let server: TestRedis;
  let limiter: RateLimiter;
  let changes: ChangeLog;

  const start = async (timeouts?: RedisTimeouts) => {
    changes = new ChangeLog();
    limiter = await createRateLimiter({ redis: redisAt(server.url), observer: changes, timeouts });
  };

  beforeEach(async () => {
    server = await startRedis();
  });

  afterEach(async () => {
    await limiter.close();
    await server.stop();
  });

  /** Sends requests of many keys, ten every 5 ms, while `during` runs; how long each took, and the results. */
  async function underLoad(during: () => Promise<unknown>) {
    const keys = Array.from({ length: 10 }, newKey);
    const times: number[] = [];
    const results: RateLimitResult[] = [];
    const end = new AbortController();
    const load = (async () => {
      const pending: Promise<void>[] = [];
      // On a busy machine `during` may be over before each key has used its limit.
      for (let round = 0; round <= limits.perMinute || !end.signal.aborted; round++) {
        for (const key of keys) {
          const start = performance.now();
          pending.push(
            limiter.charge(key).then((result) => {
              times.push(performance.now() - start);
              results.push(result);
            }),
          );
        }
        await sleep(5);
      }
      await Promise.all(pending);
    })();
    await during();
    end.abort();
    await load;
    return { slowest: Math.max(...times), results, keys: keys.length };
  }

  it('decides in the process, at once, while Redis hangs, and comes back by itself', async () => {
    await start();
    const { slowest, results, keys } = await underLoad(async () => {
      await sleep(100);
      server.pause();
      await changes.wait('degraded');
      await sleep(300);
      server.resume();
      await changes.wait('recovered');
      await sleep(100);
    });
    expect(slowest).toBeLessThan(MOST_ADDED_MS + SLACK_MS);
    // Within this one minute: exactly the plan, wherever it was decided.
    expect(results.filter((result) => result.admitted)).toHaveLength(keys * limits.perMinute);
    expect(changes.names.slice(0, 2)).toEqual(['degraded', 'recovered']);
    expect(changes.reasons[0]).toBe('no response within 40 ms');
  });

  it('comes back after a Redis that hung for longer than its connections were kept', async () => {
    await start({ responseTimeoutMs: 40, probeDelayMs: 20 });
    const key = newKey();
    await limiter.charge(key);
    server.pause();
    await limiter.charge(key);
    // Ten probes, and two seconds in which ioredis waits for the old connection's end.
    await sleep(2_600);
    server.resume();
    await changes.wait('recovered');
    expect((await limiter.charge(key)).minuteRemaining).toBe(57);
  });

  it('decides in the process when Redis crashes, and uses one that starts empty, without a script', async () => {
    await start();
    const { slowest, results, keys } = await underLoad(async () => {
      await sleep(50);
      await server.kill();
      await changes.wait('degraded');
      await sleep(300);
      await server.start();
      await changes.wait('recovered');
      await sleep(50);
    });
    expect(slowest).toBeLessThan(MOST_ADDED_MS + SLACK_MS);
    expect(changes.names.slice(0, 2)).toEqual(['degraded', 'recovered']);
    expect(results.filter((result) => result.admitted)).toHaveLength(keys * limits.perMinute);
    const observed = new Redis(server.url);
    expect(await observed.keys('petstore:limit:key:*')).not.toHaveLength(0);
    observed.disconnect();
  });

  it('still admits exactly the plan to each key while Redis is unavailable', async () => {
    await start(PATIENT);
    await server.kill();
    const key = newKey();
    const results = await Promise.all(Array.from({ length: 500 }, () => limiter.charge(key)));
    expect(results.filter(({ admitted }) => admitted)).toHaveLength(60);
    expect(await limiter.banOf(key.id)).toMatchObject({ count: 1 });
    expect(await limiter.liftBan(key.id)).toBe(true);
    expect((await limiter.peek(key)).refusal).toBe('rate_limit_exceeded');
  });

  it('remembers in either place what was admitted in the other, a day and a ban included', async () => {
    await start(PATIENT);
    const key = { ...newKey(), limits: { perMinute: 50, perDay: 80 } };
    const admittedOf = async (requests: number) => {
      const results = await Promise.all(Array.from({ length: requests }, () => limiter.charge(key)));
      return results.filter(({ admitted }) => admitted).length;
    };
    expect(await admittedOf(20)).toBe(20);
    await server.kill();
    expect(await admittedOf(20)).toBe(20);
    await server.start();
    await changes.wait('recovered');
    // The server has lost everything; this process has not.
    expect(await limiter.charge(key)).toMatchObject({ admitted: true, minuteRemaining: 9, dayRemaining: 39 });
    expect(await admittedOf(20)).toBe(9);
    expect(await limiter.peek(key)).toMatchObject({ admitted: false, minuteRemaining: 0, dayRemaining: 30 });
    expect((await Promise.all(Array.from({ length: 150 }, () => limiter.charge(key)))).at(-1)).toMatchObject({
      refusal: 'api_key_temporarily_banned',
    });
    await server.kill();
    expect((await limiter.charge(key)).refusal).toBe('api_key_temporarily_banned');
  });

  it('does not call a busy process an absent Redis', async () => {
    await start();
    const key = newKey();
    await limiter.charge(key);
    const result = limiter.charge(key);
    // Past the end of this turn the call is on its way; then this process does something else for long.
    await new Promise(setImmediate);
    const until = performance.now() + 100;
    while (performance.now() < until);
    expect((await result).minuteRemaining).toBe(58);
    expect(changes.names).toEqual([]);
  });
});

describe('a limiter that starts without its Redis', () => {
  it('decides in the process, and uses Redis once it is there', async () => {
    const server = await startRedis();
    await server.kill();
    const changes = new ChangeLog();
    const limiter = await createRateLimiter({ redis: redisAt(server.url), observer: changes });
    expect((await limiter.charge(newKey())).admitted).toBe(true);
    expect(changes.names).toEqual(['degraded']);
    await server.start();
    await changes.wait('recovered');
    await limiter.close();
    await server.stop();
  });
});
