import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startRedis, startRedisCluster, type TestRedis, type TestRedisCluster } from '@petstore/test-servers';
import calculateSlot from 'cluster-key-slot';
import { Cluster, Redis } from 'ioredis';
import { addressSubject, createRateLimiter, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { admittedOf, newKey, redisAt, valueOf } from './requests.js';
import { PATIENT, startLimiter, type StartedLimiter } from './start-limiter.js';

/** Longer than anything is waited for. */
const AWAY_MS = 1_700;

/** The result of one command on a server. */
async function on<T>({ url }: TestRedis, command: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await command(client);
  } finally {
    client.disconnect();
  }
}

describe('limiters on one Redis', () => {
  let server: TestRedis;
  let admin: Redis;
  let started: StartedLimiter[];
  let limiter: RateLimiter;
  let other: RateLimiter;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    started = [];
    [limiter, other] = [await start(PATIENT), await start(PATIENT)];
  });
  afterEach(async () => {
    for (const each of started) await each.limiter.close();
    expect(started.flatMap(({ changes }) => changes.reasons)).toEqual([]);
  });

  const start = async (timeouts?: typeof PATIENT): Promise<RateLimiter> => {
    const one = await startLimiter({ redis: redisAt(server.url), timeouts });
    started.push(one);
    return one.limiter;
  };

  it('replace values of other programs, and decide about others of the same call', async () => {
    const [list, text, state, healthy] = [newKey(), newKey(), newKey(), newKey()];
    await admin.lpush(valueOf(list), 'a list');
    await admin.set(valueOf(text), 'a text');
    await admin.set(valueOf(state), 'x'.repeat(81));
    await admin.hset(`${valueOf(healthy)}:minute`, 'a', 'hash');
    for (let i = 0; i < 2; i++) {
      const keys = [list, text, state, healthy];
      const admitted = await Promise.all(keys.map((key) => admittedOf(limiter, key, 35)));
      expect(admitted).toEqual(keys.map(() => (i === 0 ? 35 : 25)));
    }
    expect(await admin.type(valueOf(list))).toBe('string');
  });

  it('share on when it forgets its scripts, and begin anew when it forgets its counters', async () => {
    const both = [limiter, other];
    const key = newKey();
    for (let i = 0; i < 30; i++) {
      if (i % 7 === 0) await admin.script('FLUSH');
      expect(await admittedOf(both, key, 1)).toBe(2);
    }
    expect(await admittedOf(both, key, 1)).toBe(0);
    await admin.flushall();
    expect(await admittedOf(both, key, 100)).toBe(60);
  });

  it('do not take it for absent when they do not run themselves', async () => {
    const impatient = await start();
    const key = newKey();
    await limiter.consume(key);
    const connections = async (): Promise<string> =>
      String(await admin.client('LIST')).replaceAll(/ age=.*/g, '');
    const before = await connections();
    const result = impatient.consume(key);
    // Past the end of this tick the call is on its way; then this process is away for long.
    await new Promise(setImmediate);
    const until = performance.now() + AWAY_MS;
    while (performance.now() < until);
    expect((await result).minute.remaining).toBe(58);
    expect(await connections()).toBe(before);
  });

  it('send the decisions of one tick as one call', async () => {
    await admin.config('RESETSTAT');
    for (let tick = 0; tick < 5; tick++) {
      await Promise.all(Array.from({ length: 100 }, () => limiter.consume(newKey())));
    }
    expect(await admin.info('commandstats')).toContain('cmdstat_evalsha:calls=5,');
  });

  it('keep little of a subject seen once, and nothing of an anonymous one', async () => {
    await admin.flushall();
    const key = newKey();
    await limiter.consume(key);
    const address = addressSubject('192.0.2.1', { perMinute: 60, perDay: 1_000 });
    expect(await admittedOf([limiter, other], address, 100)).toBe(120);
    expect(await admin.keys('*')).toEqual([valueOf(key)]);
    expect(await admin.memory('USAGE', valueOf(key))).toBeLessThanOrEqual(300);
    expect(await admin.pttl(valueOf(key))).toBeGreaterThan(86_400_000);
  });
});

describe('a limiter on a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  let masters: readonly [TestRedis, TestRedis, TestRedis];
  let limiter: RateLimiter;
  let changes: ChangeLog;

  const start = (redis: Redis | Cluster = redisAt(cluster.url)): Promise<StartedLimiter> =>
    startLimiter({ redis, timeouts: PATIENT });
  /** While nodes are lost. */
  const startAnyhow = (observer: ChangeLog): Promise<RateLimiter> =>
    createRateLimiter({ redis: redisAt(cluster.url), observer, timeouts: PATIENT });

  const slotOf = (key: RateLimitSubject): number => calculateSlot(valueOf(key));
  /** A key of a slot that the master number `index` serves at the start. */
  const newKeyOn = (index: number): RateLimitSubject => {
    for (;;) {
      const key = newKey();
      if (Math.floor((slotOf(key) * 3) / 16_384) === index) return key;
    }
  };

  beforeAll(async () => {
    cluster = await startRedisCluster({ replicas: 1 });
    const [first, second, third] = cluster.masters;
    if (!first || !second || !third) throw new Error('three masters expected');
    masters = [first, second, third];
    ({ limiter, changes } = await start());
  });
  afterAll(async () => {
    await limiter.close();
    await cluster.stop();
  });

  it('admits exactly the plan to each of many keys on all nodes, with one that knows a single node', async () => {
    const other = await start(new Cluster([masters[0].url], { lazyConnect: true }));
    const keys = Array.from({ length: 100 }, () => newKey());
    const admitted = await Promise.all(keys.map((key) => admittedOf([limiter, other.limiter], key, 40)));
    expect(admitted).toEqual(keys.map(() => 60));
    for (const master of masters) expect(await on(master, (client) => client.dbsize())).toBeGreaterThan(0);
    await other.limiter.close();
    expect([...changes.names, ...other.changes.names]).toEqual([]);
  });

  it('shows and lifts bans wherever they are', async () => {
    for (let i = 0; i < 3; i++) {
      const key = newKeyOn(i);
      await admittedOf(limiter, key, 160);
      expect(await limiter.inspect(key)).toMatchObject({ bans: 1 });
      expect(await limiter.liftBan(key.id)).toBe(true);
      expect(await limiter.inspect(key)).toMatchObject({ bans: 0 });
    }
  });

  it('refuses and admits on while a slot moves to another node, and opens no breaker', async () => {
    const key = newKeyOn(0);
    expect(await admittedOf(limiter, key, 70)).toBe(60);
    const move = await cluster.moveSlot(slotOf(key), masters[0], masters[2]);
    // The state alone is there, and no list: a call that names both is put off until the slot has moved.
    expect(await admittedOf(limiter, key, 70)).toBeLessThanOrEqual(60);
    await move.moveKeys();
    expect(await admittedOf(limiter, key, 70)).toBeLessThanOrEqual(60);
    await move.finish();
    expect(await admittedOf(limiter, key, 10)).toBe(0);
    expect(await admittedOf(limiter, newKeyOn(0), 70)).toBe(60);
    expect(changes.reasons).toEqual([]);
  });

  it('consumes from a key and a share of it in one call', async () => {
    const key = newKeyOn(1);
    const share = { id: 'visitor:192.0.2.1', limits: { perMinute: 5, perDay: 5 }, partOf: key.id };
    const results = await Promise.all(Array.from({ length: 9 }, () => limiter.consume([share, key])));
    expect(results.filter(({ admitted }) => admitted)).toHaveLength(5);
    expect(await limiter.inspect(key)).toMatchObject({ minute: { used: 5 } });
    expect(changes.reasons).toEqual([]);
  });

  it('that hangs at the start uses it when it goes on', async () => {
    const nodes = [...cluster.masters, ...cluster.replicas];
    for (const node of nodes) node.pause();
    const seen = new ChangeLog();
    const late = await startAnyhow(seen);
    const admitted = await admittedOf(late, newKey(), 70);
    for (const node of nodes) node.resume();
    expect(admitted).toBe(60);
    expect(seen.names[0]).toBe('degraded');
    await seen.wait('recovered');
    const keys = Array.from({ length: 30 }, () => newKey());
    expect(await Promise.all(keys.map((key) => admittedOf(late, key, 70)))).toEqual(keys.map(() => 60));
    // The nodes come back one after the other.
    await seen.wait('recovered');
    await late.close();
  });

  it('decides in the process for the keys of a lost node alone, until its replica has taken over', async () => {
    const { limiter: one, changes } = await start();
    const keys = [newKeyOn(0), newKeyOn(1), newKeyOn(2)];
    for (const key of keys) expect(await admittedOf(one, key, 20)).toBe(20);
    await masters[1].kill();
    await one.consume(newKeyOn(1));
    await changes.wait('degraded');
    expect(await Promise.all(keys.map((key) => admittedOf(one, key, 70)))).toEqual([40, 60, 40]);
    const replica = cluster.replicas[1];
    if (replica === undefined) throw new Error('a replica expected');
    // Now, without waiting until the others have found out that the master is lost.
    await on(replica, (client) => client.cluster('FAILOVER', 'TAKEOVER'));
    await changes.wait('recovered');
    const other = await startAnyhow(new ChangeLog());
    const fresh = newKeyOn(1);
    expect(await admittedOf([one, other], fresh, 40)).toBe(60);
    await Promise.all([one.close(), other.close()]);
  });
});
