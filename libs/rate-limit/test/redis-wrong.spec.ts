import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, startRedisCluster, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, Plan, type RateLimiter, type RateLimitSubject } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';

const limits = Plan.limitsOf('free');
const PASSWORD = 'pa:ss/wo%rd';
/** What the documents name as enough. */
const RIGHTS = rightsIn(readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8'));
/** Those that events of keys need, and no limit. */
const OF_EVENTS = new Set(['+publish', '+subscribe']);
const PATIENT = { responseTimeoutMs: 1_000, probeDelayMs: 20 };

function rightsIn(text: string): string[] {
  const [, rights = ''] = /^ACL SETUSER petstore on >PASSWORD (.*)$/m.exec(text) ?? [];
  return rights.split(' ');
}

let subjects = 0;
const newKey = (): RateLimitSubject => ({ id: `key:wrong-${++subjects}`, limits, bannable: true });

let limiter: RateLimiter;
let changes: ChangeLog;
const start = async (redisUrl: string, timeouts = PATIENT): Promise<void> => {
  changes = new ChangeLog();
  limiter = await createRateLimiter({ redis: redisAt(redisUrl), observer: changes, timeouts });
};
afterEach(() => limiter.close());

const admittedOf = async (requests: number, key = newKey()): Promise<number> => {
  const results = await Promise.all(Array.from({ length: requests }, () => limiter.charge(key)));
  return results.filter(({ admitted }) => admitted).length;
};

/** The address with a user and a password, escaped as they have to be. */
const as = (url: string, user: string, password = PASSWORD): string =>
  url.replace('//', `//${user}:${encodeURIComponent(password)}@`);

describe('a Redis that is not as it should be', () => {
  let server: TestRedis;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
    await admin.call('ACL', ['SETUSER', 'petstore', 'on', `>${PASSWORD}`, ...RIGHTS]);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  /** Requests for as long as four probes take: each of them could find Redis unavailable, or back. */
  const stays = async (name: 'degraded' | 'recovered'): Promise<void> => {
    for (let i = 0; i < 8; i++) {
      expect(await admittedOf(1)).toBe(1);
      await sleep(10);
    }
    expect(changes.names.filter((change) => change === name)).toHaveLength(1);
    expect(changes.names.at(-1)).toBe(name);
  };

  it('serves a user who has just the rights that the documents name', async () => {
    await start(as(server.url, 'petstore'));
    const key = newKey();
    expect(await admittedOf(160, key)).toBe(60);
    expect(await limiter.liftBan(key.id)).toBe(true);
    expect(changes.names).toEqual([]);
    expect(await admin.exists(`petstore:limit:${key.id}`)).toBe(1);
  });

  it.each(RIGHTS.filter((right) => right.startsWith('+') && !OF_EVENTS.has(right)))(
    'is unavailable from the start for a user without %s, and back when it is granted',
    async (right) => {
      await admin.call('ACL', ['SETUSER', 'petstore', right.replace('+', '-')]);
      if (right === '+evalsha') await admin.script('FLUSH');
      await start(as(server.url, 'petstore'));
      // With the script known already, nobody needs EVAL.
      if (right !== '+eval') {
        expect(changes.names).toEqual(['degraded']);
        expect(changes.reasons[0]).toMatch(/NOPERM|can't run this command.*\([A-Z]+\)/);
        await stays('degraded');
      }
      await admin.call('ACL', ['SETUSER', 'petstore', right]);
      if (right === '+eval') return;
      await changes.wait('recovered');
      await stays('recovered');
    },
  );

  it('is unavailable when its rights are taken, with one line until they are back', async () => {
    await start(as(server.url, 'petstore'));
    expect(await admittedOf(1)).toBe(1);
    await admin.call('ACL', ['SETUSER', 'petstore', '-evalsha']);
    await admittedOf(1);
    await changes.wait('degraded');
    await stays('degraded');
    expect(changes.reasons).toEqual([expect.stringMatching(/NOPERM|can't run/)]);
    await admin.call('ACL', ['SETUSER', 'petstore', '+evalsha']);
    await changes.wait('recovered');
    await stays('recovered');
  });

  it('names a wrong password, and does not tell it', async () => {
    await start(as(server.url, 'petstore', 'secret-but-wrong'));
    expect(changes.reasons).toEqual([expect.stringMatching(/^WRONGPASS /)]);
    expect(changes.reasons[0]).not.toContain('secret');
    await stays('degraded');
  });

  it('names a password that is missing', async () => {
    await admin.config('SET', 'requirepass', PASSWORD);
    await start(server.url);
    await admin.config('SET', 'requirepass', '');
    expect(changes.reasons).toEqual([expect.stringMatching(/^NOAUTH /)]);
    await changes.wait('recovered');
  });

  it.each([
    ['full', ['maxmemory', '1'], ['maxmemory', '0'], /^OOM /],
    ['no master', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one'], /^READONLY /],
  ])('is unavailable from the start when it is %s', async (_what, [name = '', ...args], undo, reason) => {
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    const set = (setting: readonly string[]) =>
      name === 'replicaof'
        ? admin.call('REPLICAOF', setting.slice(1))
        : admin.call('CONFIG', ['SET', ...setting]);
    await set([name, ...args]);
    await start(server.url);
    expect(changes.reasons).toEqual([expect.stringMatching(reason)]);
    await stays('degraded');
    await set(undo);
    await changes.wait('recovered');
    await stays('recovered');
  });

  it('names an address that nobody listens on', async () => {
    const unused = net.createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const { port } = unused.address() as net.AddressInfo;
    unused.close();
    await start(`redis://127.0.0.1:${port}`);
    expect(changes.reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it('keeps nobody from the counters for one value that is none of ours', async () => {
    await start(server.url);
    const key = newKey();
    await admin.lpush(`petstore:limit:${key.id}`, 'a list');
    const others = newKey();
    for (let i = 0; i < 5; i++) {
      expect(await admittedOf(12, key)).toBe(12);
      expect(await admittedOf(12, others)).toBe(12);
      await sleep(20);
    }
    expect(await admittedOf(12, key)).toBe(0);
    expect(changes.names).toEqual([]);
    expect(await admin.exists(`petstore:limit:${others.id}`)).toBe(1);
  });
});

describe('a Redis that hangs at the start', () => {
  /** What a start without Redis may take: a second of timeouts, and what a busy machine adds. */
  const MOST_MS = 2_500;

  it('and takes connections without a word is given up after a second', async () => {
    const sockets = new Set<net.Socket>();
    const silent = net.createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const since = performance.now();
    await start(`redis://127.0.0.1:${(silent.address() as net.AddressInfo).port}`);
    expect(performance.now() - since).toBeLessThan(MOST_MS);
    expect(changes.reasons).toEqual([expect.stringContaining('no response')]);
    expect(await admittedOf(70)).toBe(60);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('and sends nothing after the handshake is given up after a second', async () => {
    const sockets = new Set<net.Socket>();
    const silent = net.createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('data', () => socket.write('%1\r\n$5\r\nproto\r\n:3\r\n'));
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    await start(`redis://127.0.0.1:${(silent.address() as net.AddressInfo).port}`);
    expect(changes.reasons).toEqual([expect.stringContaining('no response')]);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('is used when it goes on', async () => {
    const server = await startRedis();
    server.pause();
    const since = performance.now();
    await start(server.url);
    expect(performance.now() - since).toBeLessThan(MOST_MS);
    expect(await admittedOf(70)).toBe(60);
    server.resume();
    await changes.wait('recovered');
    expect(changes.names).toEqual(['degraded', 'recovered']);
    await server.stop();
  });

  it('is used when it goes on, if it is a cluster', async () => {
    const cluster = await startRedisCluster();
    for (const node of cluster.masters) node.pause();
    const since = performance.now();
    await start(cluster.url);
    expect(performance.now() - since).toBeLessThan(MOST_MS);
    expect(changes.names).toEqual(['degraded']);
    expect(await admittedOf(70)).toBe(60);
    for (const node of cluster.masters) node.resume();
    await changes.wait('recovered');
    const keys = Array.from({ length: 30 }, newKey);
    expect(await Promise.all(keys.map((key) => admittedOf(70, key)))).toEqual(keys.map(() => 60));
    expect(changes.names).toEqual(['degraded', 'recovered']);
    await cluster.stop();
  });
});
