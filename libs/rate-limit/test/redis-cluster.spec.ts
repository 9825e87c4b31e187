import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedisCluster, type TestRedis, type TestRedisCluster } from '@petstore/test-servers';
import calculateSlot from 'cluster-key-slot';
import { Cluster, Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';
import { admittedOf, newKey, valueOf } from './requests.js';

const SLOTS_PER_MASTER = 16_384 / 3;

const slotOf = (key: RateLimitSubject) => calculateSlot(valueOf(key));
/** A key of a slot that the master number `index` serves at the start. */
const newKeyOn = (index: number): RateLimitSubject => {
  for (;;) {
    const key = newKey();
    if (Math.floor(slotOf(key) / SLOTS_PER_MASTER) === index) return key;
  }
};

describe('a limiter on a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  let masters: readonly [TestRedis, TestRedis, TestRedis];
  let limiter: RateLimiter;
  let changes: ChangeLog;

  // What hangs is another test's matter; here only what is lost counts, on however busy a machine.
  const timeouts = { responseTimeoutMs: 2_000, probeDelayMs: 200 };
  const startLimiter = (redis: Redis | Cluster = redisAt(cluster.url)) =>
    createRateLimiter({ redis, observer: changes, timeouts });

  beforeAll(async () => {
    cluster = await startRedisCluster({ masters: 3, replicas: 1 });
    const [first, second, third] = cluster.masters;
    if (!first || !second || !third) throw new Error('three masters expected');
    masters = [first, second, third];
    changes = new ChangeLog();
    limiter = await startLimiter();
  });

  afterAll(async () => {
    await limiter.close();
    await cluster.stop();
  });

  it('is used from the start, also when one node alone is known', async () => {
    const other = await startLimiter(new Cluster([masters[0].url], { lazyConnect: true }));
    for (let i = 0; i < 3; i++) {
      const key = newKeyOn(i);
      expect(await admittedOf([limiter, other], key, 40)).toBe(60);
    }
    await other.close();
    expect(changes.names).toEqual([]);
  });

  it('admits exactly the plan to each of many keys on all nodes', async () => {
    const keys = Array.from({ length: 100 }, () => newKey());
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
      const key = newKeyOn(i);
      await admittedOf(limiter, key, 160);
      expect(await limiter.banOf(key.id)).toMatchObject({ count: 1 });
      expect(await limiter.liftBan(key.id)).toBe(true);
      expect(await limiter.banOf(key.id)).toBeUndefined();
    }
  });

  it('stays exact while a slot moves to another node', async () => {
    const key = newKeyOn(0);
    // Of the same slot, but not there before the slot begins to move.
    const fresh = { ...key, id: `{${valueOf(key)}}` };
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
    const all = [newKeyOn(0), lost, newKeyOn(2)];
    for (const key of all) expect(await admittedOf(limiter, key, 20)).toBe(20);
    await masters[1].kill();
    await changes.wait('degraded');
    for (const key of all) expect(await admittedOf(limiter, key, 60)).toBe(40);
    await takeOver(cluster.replicas[1]);
    await changes.wait('recovered');
    // The replica has been told what was admitted without it, so that another process knows as well.
    const other = await startLimiter();
    for (const key of all) expect(await admittedOf([limiter, other], key, 20)).toBe(0);
    await other.close();
    expect(changes.names).toEqual(['degraded', 'recovered']);
  });
});

/** Makes a replica the master now, without waiting until the others have found out that theirs is lost. */
async function takeOver(replica: TestRedis | undefined): Promise<void> {
  if (replica === undefined) throw new Error('a replica expected');
  const client = new Redis(replica.url);
  await client.cluster('FAILOVER', 'TAKEOVER');
  client.disconnect();
}
