import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, startRedisSentinel, type TestRedis } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { admittedOf, free, newKey, redisAt, valueOf } from './requests.js';
import { RunningClock } from './running-clock.js';
import { startLimiter } from './start-limiter.js';

/** A request waits 250 ms for Redis; one that waited for its connection to end would wait for 1.5 s. Running time. */
const SLOW_MS = 1_000;
/** How long a call takes over the way to a Redis that is far away, and over one to a Redis that is not too far. */
const TOO_FAR_MS = 600;
const FAR_MS = 150;
/** Instances share their limits again after two seconds, in which Redis may be late. Running time. */
const SHARED_WITHIN_MS = 4_000;

let server: TestRedis;
let admin: Redis;
/** How long a request takes to the server and back. */
let delayMs = 0;
/** Those that lead nowhere: nothing arrives, and no end of a connection does. */
const lost = new WeakSet<net.Socket>();
const clients = new Set<net.Socket>();
const way = net.createServer((client) => {
  const redis = net.connect(server.port, '127.0.0.1');
  clients.add(client);
  for (const [from, to] of [
    [client, redis],
    [redis, client],
  ] as const) {
    from.on('error', () => undefined).on('close', () => to.destroy());
    from.on('data', (data) => {
      if (lost.has(client)) return;
      if (delayMs === 0) to.write(data);
      else setTimeout(() => to.write(data), delayMs / 2);
    });
  }
});

beforeAll(async () => {
  server = await startRedis({ settings: ['--maxmemory-policy', 'noeviction'] });
  admin = new Redis(server.url, { retryStrategy: () => 20 });
  admin.on('error', () => undefined);
  await once(way.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  admin.disconnect();
  way.close();
  await server.stop();
});

describe('two instances on a Redis that becomes unavailable', () => {
  let limiters: readonly [RateLimiter, RateLimiter];
  /** Of the first limiter, and of the second. */
  let changes: ChangeLog;
  let otherChanges: ChangeLog;

  beforeEach(async () => {
    [changes, otherChanges] = [new ChangeLog(), new ChangeLog()];
    const url = `redis://127.0.0.1:${(way.address() as net.AddressInfo).port}`;
    const start = (observer: ChangeLog): Promise<RateLimiter> =>
      createRateLimiter({ redis: redisAt(url), observer });
    limiters = await Promise.all([start(changes), start(otherChanges)]);
    // They start without a Redis that is late.
    await waitFor(share);
  });
  afterEach(async () => {
    for (const limiter of limiters) await limiter.close();
  });

  /** A key of its own on each look: only instances that share admit just its plan. */
  const share = async (): Promise<boolean> => (await admittedOf(limiters, newKey(), 60)) === free.perMinute;

  /** Until an instance has noticed: time in which it did not run itself does not count against Redis. */
  const hang = async (forMs: number): Promise<void> => {
    server.pause();
    await Promise.all([sleep(forMs), changes.wait('degraded')]);
    server.resume();
  };
  const crash = async (forMs: number): Promise<void> => {
    await server.kill();
    await sleep(forMs);
    await server.start();
  };
  /** Until some probes have found that Redis is still unavailable. */
  const stayDegraded = async (): Promise<void> => {
    await changes.wait('degraded');
    await sleep(700);
  };

  it.each<[string, () => Promise<unknown>]>([
    ['hung', () => hang(400)],
    ['hung for longer than its connections are kept', () => hang(2_000)],
    ['crashed', () => crash(300)],
    [
      'hung, came back and crashed',
      async () => {
        await hang(1_800);
        await sleep(500);
        await crash(800);
      },
    ],
    [
      'lost its connections 35 times',
      async () => {
        for (let i = 0; i < 35; i++) {
          await admin.call('CLIENT', ['KILL', 'TYPE', 'NORMAL']);
          await sleep(20);
        }
      },
    ],
    [
      'was full',
      async () => {
        await admin.config('SET', 'maxmemory', '1');
        await stayDegraded();
        await admin.config('SET', 'maxmemory', '0');
      },
    ],
    [
      'was behind connections that led nowhere',
      async () => {
        for (const client of clients) lost.add(client);
        await stayDegraded();
      },
    ],
    [
      'was a replica',
      async () => {
        await admin.replicaof('127.0.0.1', 1);
        await stayDegraded();
        await admin.replicaof('NO', 'ONE');
      },
    ],
    [
      'was far away',
      async () => {
        delayMs = TOO_FAR_MS;
        await stayDegraded();
        delayMs = 0;
      },
    ],
  ])('keep their limits and share them again soon when it %s', async (_, happen) => {
    const busy = { id: 'key:busy', limits: { perMinute: 100_000, perDay: 1_000_000 }, bannable: false };
    const changesBefore = changes.names.length;
    const clock = new RunningClock();
    const over = new AbortController();
    let slowestMs = 0;
    let refused = 0;
    const load = (async () => {
      while (!over.signal.aborted) {
        const startedAt = clock.now();
        const results = await Promise.all(limiters.map((limiter) => limiter.consume(busy)));
        slowestMs = Math.max(slowestMs, clock.now() - startedAt);
        refused += results.filter(({ admitted }) => !admitted).length;
        await sleep(3);
      }
    })();
    try {
      const key = newKey();
      const during = sleep(200).then(() => admittedOf(limiters, key, 100));
      await happen();
      // The plan of Redis, and one of each process.
      expect(await during).toBeLessThanOrEqual(3 * free.perMinute);
      const backAt = clock.now();
      while (!(await share())) {
        expect(clock.now() - backAt).toBeLessThan(SHARED_WITHIN_MS);
        await sleep(20);
      }
    } finally {
      // Also when something failed: jest does not end before the load does.
      over.abort();
      await load;
      clock.stop();
    }
    expect(changes.names[changesBefore]).toBe('degraded');
    expect({ refused, isSlow: slowestMs > SLOW_MS }).toEqual({ refused: 0, isSlow: false });
  });

  it('admit just the plan while it responds within a quarter of a second', async () => {
    delayMs = FAR_MS;
    const outages = (): number => changes.reasons.length + otherChanges.reasons.length;
    // Redis itself may be late, for which a limiter says so: that shows nothing.
    const admitted = await waitFor(async () => {
      if (!changes.isUsed || !otherChanges.isUsed) return false;
      const outagesBefore = outages();
      const keys = Array.from({ length: 20 }, () => newKey());
      const admitted = await Promise.all(keys.map((key) => admittedOf(limiters, key, 60)));
      return outages() === outagesBefore && admitted;
    });
    delayMs = 0;
    expect(admitted).toEqual(Array(20).fill(free.perMinute));
  });

  it('let no request wait once it is known to be unavailable', async () => {
    const [limiter] = limiters;
    server.pause();
    await Promise.all([limiter.consume(newKey()), changes.wait('degraded')]);
    for (let i = 0; i < 50; i++) {
      let isDecided = false;
      void limiter.consume(newKey()).then(() => (isDecided = true));
      await new Promise(setImmediate);
      expect(isDecided).toBe(true);
      await sleep(10);
    }
    server.resume();
    await changes.wait('recovered');
  });

  it('give a key one plan of each process while it comes and goes, and one of its own', async () => {
    const key = newKey();
    let admitted = 0;
    for (let i = 0; i < 5; i++) {
      server.pause();
      admitted += await admittedOf(limiters, key, 100);
      await Promise.all([changes.wait('degraded'), otherChanges.wait('degraded')]);
      admitted += await admittedOf(limiters, key, 100);
      server.resume();
      await Promise.all([changes.wait('recovered'), otherChanges.wait('recovered')]);
      admitted += await admittedOf(limiters, key, 100);
    }
    expect(admitted).toBeGreaterThanOrEqual(2 * free.perMinute);
    expect(admitted).toBeLessThanOrEqual(3 * free.perMinute);
  });

  it('begin with a whole plan when it has forgotten everything, and go on with a ban that it had reported', async () => {
    const [limiter] = limiters;
    const [key, banned] = [newKey(), newKey()];
    expect(await admittedOf(limiters, key, 60)).toBe(60);
    await admittedOf(limiter, banned, 160);
    expect(limiter.peek(key)).toMatchObject({ admitted: false, minute: { remaining: 0 } });
    await server.kill();
    await limiter.consume(newKey());
    await changes.wait('degraded');
    expect(await limiter.consume(key)).toMatchObject({ minute: { remaining: 59 }, day: { remaining: 999 } });
    expect(limiter.peek(key)).toMatchObject({ minute: { used: 1 } });
    expect((await limiter.consume(banned)).refusal).toBe('api_key_temporarily_banned');
    expect(await limiter.liftBan(banned.id)).toBe(true);
    expect((await limiter.consume(banned)).admitted).toBe(true);
    await server.start();
    await changes.wait('recovered');
    expect(await admittedOf(limiters, key, 60)).toBe(60);
    expect(changes.lostIds).toEqual([]);
  });
});

it('an instance says nothing when Redis closes idle connections', async () => {
  const server = await startRedis({ settings: ['--timeout', '1'] });
  const { limiter, changes } = await startLimiter({ redis: redisAt(server.url) });
  const admin = new Redis(server.url);
  const connections = async (): Promise<number> =>
    String(await admin.client('LIST'))
      .trim()
      .split('\n').length;
  for (let i = 0; i < 2; i++) {
    const key = newKey();
    expect(await admittedOf(limiter, key, 70)).toBe(60);
    // The limiter connects again at once; its connection is then a new one.
    const idOf = async (): Promise<string[]> => String(await admin.client('LIST')).match(/^id=\d+/gm) ?? [];
    const before = await idOf();
    await waitFor(async () => (await connections()) === 2 && (await idOf()).join() !== before.join());
    expect(await admittedOf(limiter, key, 1)).toBe(0);
  }
  expect(changes.names).toEqual([]);
  admin.disconnect();
  await limiter.close();
  await server.stop();
});

it('an instance goes on with the master that Sentinel names when the one before is lost', async () => {
  const master = await startRedis();
  const replica = await startRedis({ settings: ['--replicaof', '127.0.0.1', String(master.port)] });
  const sentinel = await startRedisSentinel('limits', master);
  const [watcher, heir] = [new Redis(sentinel.url), new Redis(replica.url)];
  // A Sentinel that has not run for two seconds does nothing for as long as this; it would be 30 s.
  await watcher.call('SENTINEL', ['DEBUG', 'TILT-PERIOD', '100']);
  const replicas = (): Promise<unknown> => watcher.call('SENTINEL', ['REPLICAS', 'limits']);
  await waitFor(async () => JSON.stringify(await replicas()).includes('"ok"'));
  // One of them hangs: it takes connections, and never responds.
  const held = new Set<net.Socket>();
  const mute = net.createServer((socket) => held.add(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const ports = [(mute.address() as net.AddressInfo).port, sentinel.port];
  const sentinels = ports.map((port) => ({ host: '127.0.0.1', port }));
  const redis = new Redis({ sentinels, name: 'limits', updateSentinels: false, lazyConnect: true });
  const changes = new ChangeLog();
  const limiter = await createRateLimiter({ redis, observer: changes });
  await waitFor(() => changes.isUsed);
  const key = newKey();
  expect(await admittedOf(limiter, key, 20)).toBe(20);
  await waitFor(async () => (await heir.exists(valueOf(key))) > 0);
  await master.kill();
  await limiter.consume(newKey());
  await changes.wait('degraded');
  expect(await admittedOf(limiter, key, 70)).toBe(60);
  await watcher.call('SENTINEL', ['SET', 'limits', 'down-after-milliseconds', '500']);
  await changes.wait('recovered');
  expect(await admittedOf(limiter, key, 60)).toBe(40);
  expect(await heir.info('replication')).toContain('role:master');
  await limiter.close();
  for (const client of [watcher, heir]) client.disconnect();
  mute.close();
  for (const socket of held) socket.destroy();
  await Promise.all([master, replica, sentinel].map((each) => each.stop()));
});
