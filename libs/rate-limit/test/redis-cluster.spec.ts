import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedisCluster, type TestRedis, type TestRedisCluster } from '@petstore/test-servers';
import calculateSlot from 'cluster-key-slot';
import { Redis } from 'ioredis';
import { createRateLimiter, Plan, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';

const limits = Plan.limitsOf('free');
const SLOTS_PER_MASTER = 16_384 / 3;

let subjects = 0;
const newKey = (): RateLimitSubject => ({ id: `key:cluster-${++subjects}`, limits, bannable: false });
const slotOf = ({ id }: RateLimitSubject) => calculateSlot(`petstore:limit:2:${id}`);
/** A key of a slot that the master number `index` serves at the start. */
const newKeyOn = (index: number): RateLimitSubject => {
  for (;;) {
    const key = newKey();
    if (Math.floor(slotOf(key) / SLOTS_PER_MASTER) === index) return key;
  }
};
const admittedOf = async (limiter: RateLimiter, key: RateLimitSubject, requests: number) => {
  const results = await Promise.all(Array.from({ length: requests }, () => limiter.charge(key)));
  return results.filter(({ admitted }) => admitted).length;
};

describe('a limiter on a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  let masters: readonly [TestRedis, TestRedis, TestRedis];
  let limiter: RateLimiter;
  let changes: ChangeLog;

  beforeAll(async () => {
    cluster = await startRedisCluster({ masters: 3, replicas: 1 });
    const [first, second, third] = cluster.masters;
    if (!first || !second || !third) throw new Error('three masters expected');
    masters = [first, second, third];
    changes = new ChangeLog();
    // What hangs is another test's matter; here only what is lost counts, on however busy a machine.
    const timeouts = { responseTimeoutMs: 2_000, probeDelayMs: 200 };
    limiter = await createRateLimiter({ redis: redisAt(cluster.url), observer: changes, timeouts });
  });

  afterAll(async () => {
    await limiter.close();
    await cluster.stop();
  });

  it('admits exactly the plan to each of many keys on all nodes', async () => {
    const keys = Array.from({ length: 100 }, newKey);
    const admitted = await Promise.all(keys.map((key) => admittedOf(limiter, key, 80)));
    expect(admitted).toEqual(keys.map(() => 60));
    for (const master of masters) {
      const observed = new Redis(master.url);
      expect(await observed.dbsize()).toBeGreaterThan(0);
      observed.disconnect();
    }
    expect(changes.names).toEqual([]);
  });

  it('shows and lifts bans wherever they are', async () => {
    for (let i = 0; i < 3; i++) {
      const key = { ...newKeyOn(i), bannable: true };
      await admittedOf(limiter, key, 160);
      expect(await limiter.banOf(key.id)).toMatchObject({ count: 1 });
      expect(await limiter.liftBan(key.id)).toBe(true);
      expect(await limiter.banOf(key.id)).toBeUndefined();
    }
  });

  it('stays exact while a slot moves to another node', async () => {
    const key = newKeyOn(0);
    // Of the same slot, but not there before the slot begins to move.
    const fresh = { ...key, id: `{petstore:limit:2:${key.id}}` };
    const slot = slotOf(key);
    const together = async (requests: number) => {
      const [old, young] = await Promise.all([
        admittedOf(limiter, key, requests),
        admittedOf(limiter, { ...fresh, id: fresh.id }, requests),
      ]);
      return [old, young];
    };
    expect(await admittedOf(limiter, key, 10)).toBe(10);
    const move = await cluster.moveSlot(slot, masters[0], masters[2]);
    expect(await together(10)).toEqual([10, 10]);
    await move.moveKeys();
    expect(await together(10)).toEqual([10, 10]);
    await move.finish();
    expect(await together(60)).toEqual([30, 40]);
    expect(await together(10)).toEqual([0, 0]);
    expect(changes.names).toEqual([]);
  });

  it('decides in the process for the keys of a lost node alone, until its replica has taken over', async () => {
    const lost = newKeyOn(1);
    const others = [newKeyOn(0), newKeyOn(2)];
    expect(await admittedOf(limiter, lost, 20)).toBe(20);
    for (const key of others) expect(await admittedOf(limiter, key, 20)).toBe(20);
    // So that the replica has it, too.
    await sleep(50);
    await masters[1].kill();
    let slowest = 0;
    const until = Date.now() + 15_000;
    const charges = { lost: 0, others: 0 };
    while (changes.names.at(-1) !== 'recovered' && Date.now() < until) {
      const start = performance.now();
      charges.lost += await admittedOf(limiter, lost, 1);
      slowest = Math.max(slowest, performance.now() - start);
      for (const key of others) charges.others += await admittedOf(limiter, key, 1);
      await sleep(20);
    }
    expect(changes.names).toEqual(['degraded', 'recovered']);
    expect(slowest).toBeLessThan(150);
    expect(charges.others).toBe(80);
    expect(charges.lost).toBe(40);
    // The replica knows what its master knew, and this process what it admitted in between.
    expect(await admittedOf(limiter, lost, 60)).toBe(0);
  });
});
