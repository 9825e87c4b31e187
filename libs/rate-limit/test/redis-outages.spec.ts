import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { FaultyWay } from './faulty-way.js';
import { redisAt } from './redis-at.js';
import { admittedOf, free, newKey } from './requests.js';

/** What an outage may add to a request, and what a busy test machine may add to that. */
const MOST_ADDED_MS = 50;
const SLACK_MS = 250;
/** After so long instances share their limits again. */
const SHARED_WITHIN_MS = 2_000;

let server: TestRedis;
let way: FaultyWay;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis({ settings: ['--maxmemory-policy', 'noeviction'] });
  way = await FaultyWay.to(server.port);
  admin = new Redis(server.url, { retryStrategy: () => 20 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  admin.disconnect();
  way.close();
  await server.stop();
});

describe('two instances on a Redis that becomes unavailable', () => {
  let limiters: readonly RateLimiter[];
  let changes: ChangeLog;

  beforeEach(async () => {
    changes = new ChangeLog();
    const start = (observer: ChangeLog): Promise<RateLimiter> =>
      createRateLimiter({ redis: redisAt(way.url), observer });
    limiters = await Promise.all([start(changes), start(new ChangeLog())]);
  });
  afterEach(async () => {
    for (const limiter of limiters) await limiter.close();
  });

  /** A key of its own on each look: only instances that share admit just its plan. */
  const share = async (): Promise<boolean> => (await admittedOf(limiters, newKey(), 60)) === free.perMinute;

  const hang = async (forMs: number): Promise<void> => {
    server.pause();
    await sleep(forMs);
    server.resume();
  };
  const crash = async (forMs: number): Promise<void> => {
    await server.kill();
    await sleep(forMs);
    await server.start();
  };

  it.each<[string, () => Promise<unknown>]>([
    ['hung', () => hang(400)],
    ['hung for longer than its connections are kept', () => hang(2_500)],
    ['crashed', () => crash(400)],
    [
      'hung, came back and crashed',
      async () => {
        await hang(1_800);
        await sleep(500);
        await crash(800);
      },
    ],
    [
      'hung and crashed',
      async () => {
        server.pause();
        await sleep(1_800);
        await crash(100);
      },
    ],
    [
      'lost its connections 35 times',
      async () => {
        for (let i = 0; i < 35; i++) {
          way.cut();
          await sleep(50);
        }
      },
    ],
    [
      'was full',
      async () => {
        await admin.config('SET', 'maxmemory', '1');
        await sleep(1_500);
        await admin.config('SET', 'maxmemory', '0');
      },
    ],
    [
      'was a replica',
      async () => {
        await admin.replicaof('127.0.0.1', 1);
        await sleep(1_500);
        await admin.replicaof('NO', 'ONE');
      },
    ],
    [
      'was far away',
      async () => {
        way.delayMs = 100;
        await sleep(1_500);
        way.delayMs = 0;
      },
    ],
  ])('keep their limits and share them again soon when it %s', async (_, happen) => {
    const busy = {
      id: 'key:busy',
      limits: { perMinute: 100_000, perDay: 1_000_000 },
      bannable: false,
    };
    expect(await share()).toBe(true);
    const over = new AbortController();
    let slowest = 0;
    let refused = 0;
    const load = (async () => {
      while (!over.signal.aborted) {
        const startedAt = performance.now();
        const results = await Promise.all(limiters.map((limiter) => limiter.charge(busy)));
        slowest = Math.max(slowest, performance.now() - startedAt);
        refused += results.filter(({ admitted }) => !admitted).length;
        await sleep(3);
      }
    })();
    const key = newKey();
    const during = sleep(200).then(() => admittedOf(limiters, key, 100));
    await happen();
    expect(await during).toBeLessThanOrEqual(2 * free.perMinute);
    const backAt = performance.now();
    while (!(await share())) {
      expect(performance.now() - backAt).toBeLessThan(SHARED_WITHIN_MS);
      await sleep(20);
    }
    // What each has admitted alone, the other one knows now.
    expect(await admittedOf(limiters, key, 60)).toBe(0);
    over.abort();
    await load;
    expect(changes.names[0]).toBe('degraded');
    expect({ refused, isSlow: slowest > MOST_ADDED_MS + SLACK_MS }).toEqual({ refused: 0, isSlow: false });
  });

  it('tell a number that is true in an outage, and of a ban', async () => {
    const [limiter] = limiters;
    if (limiter === undefined) throw new Error('two limiters expected');
    const key = newKey();
    await admittedOf([limiter], key, 20);
    const banned = newKey();
    await admittedOf([limiter], banned, 160);
    await server.kill();
    await changes.wait('degraded');
    expect(await limiter.charge(key)).toMatchObject({ minute: { remaining: 39 }, day: { remaining: 979 } });
    expect((await limiter.charge(banned)).refusal).toBe('api_key_temporarily_banned');
    expect(await limiter.banOf(banned.id)).toMatchObject({ count: 1 });
    expect(await limiter.liftBan(banned.id)).toBe(true);
    await server.start();
    await changes.wait('recovered');
    // The server has lost everything; this process has not.
    expect(await limiter.charge(key)).toMatchObject({ minute: { remaining: 38 }, day: { remaining: 978 } });
  });
});
