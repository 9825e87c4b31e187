import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, startRedisCluster, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { redisAt } from './redis-at.js';
import { admittedOf, newKey, valueOf } from './requests.js';

const PASSWORD = 'pa:ss/wo%rd';
/** What the documents name as enough. */
const OPERATIONS = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const [, NAMED = ''] = /^ACL SETUSER petstore on >PASSWORD (.*)$/m.exec(OPERATIONS) ?? [];
const RIGHTS = NAMED.split(' ');
/** A script that is known already needs no EVAL, and other tests have made it known. */
const OTHERS = new Set(['+publish', '+subscribe', '+eval']);
const PATIENT = { responseTimeoutMs: 1_000, probeDelayMs: 20 };
/** What a start without Redis may take: a second of timeouts, and what a busy machine adds. */
const MOST_MS = 2_500;

let limiter: RateLimiter;
let changes: ChangeLog;
const start = async (redisUrl: string, timeouts = PATIENT): Promise<void> => {
  changes = new ChangeLog();
  limiter = await createRateLimiter({ redis: redisAt(redisUrl), observer: changes, timeouts });
};
afterEach(() => limiter.close());

/** The address with a user and a password, escaped as they have to be. */
const as = (url: string, user: string, password = PASSWORD): string =>
  url.replace('//', `//${user}:${encodeURIComponent(password)}@`);

/** Requests for as long as some probes take: each of them could find Redis unavailable, or back. */
const stays = async (name: 'degraded' | 'recovered'): Promise<void> => {
  for (let i = 0; i < 8; i++) {
    expect(await admittedOf(limiter, newKey(), 1)).toBe(1);
    await sleep(10);
  }
  expect(changes.names.filter((change) => change === name)).toHaveLength(1);
  expect(changes.names.at(-1)).toBe(name);
};

describe('a Redis that is not as it should be', () => {
  let server: TestRedis;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis({ settings: ['--maxmemory-policy', 'noeviction'] });
    admin = new Redis(server.url);
    await admin.call('ACL', ['SETUSER', 'petstore', 'on', `>${PASSWORD}`, ...RIGHTS]);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  it('serves a user who has just the rights that the documents name', async () => {
    await start(as(server.url, 'petstore'));
    const key = newKey();
    expect(await admittedOf(limiter, key, 160)).toBe(60);
    expect(await limiter.liftBan(key.id)).toBe(true);
    expect(changes.names).toEqual([]);
    expect(await admin.exists(valueOf(key))).toBe(1);
  });

  it.each(RIGHTS.filter((right) => right.startsWith('+') && !OTHERS.has(right)))(
    'is unavailable to a user without %s, with one line, and back when it is granted',
    async (right) => {
      await admin.call('ACL', ['SETUSER', 'petstore', right.replace('+', '-')]);
      await start(as(server.url, 'petstore'));
      // Every command is needed within some requests of one key: a first one, others in its step and in the next.
      const key = newKey({ perMinute: 100_000, perDay: 100_000 });
      for (const until = Date.now() + 5_000; changes.names.length === 0 && Date.now() < until;) {
        await admittedOf(limiter, key, 1);
        await sleep(50);
      }
      expect(changes.names).toEqual(['degraded']);
      expect(changes.reasons[0]).toMatch(/NOPERM|can't run this command/);
      await stays('degraded');
      await admin.call('ACL', ['SETUSER', 'petstore', right]);
      await changes.wait('recovered');
    },
  );

  it.each<[string, string, RegExp, readonly (readonly string[])[], readonly (readonly string[])[]]>([
    ['another password', 'secret-but-wrong', /^WRONGPASS /, [], []],
    [
      'a password',
      '',
      /^NOAUTH /,
      [['CONFIG', 'SET', 'requirepass', PASSWORD]],
      [['CONFIG', 'SET', 'requirepass', '']],
    ],
    ['no memory', '', /^OOM /, [['CONFIG', 'SET', 'maxmemory', '1']], [['CONFIG', 'SET', 'maxmemory', '0']]],
    ['a master', '', /^READONLY /, [['REPLICAOF', '127.0.0.1', '1']], [['REPLICAOF', 'NO', 'ONE']]],
  ])(
    'is unavailable from the start when it has %s, and says why',
    async (_, password, reason, commands, undo) => {
      for (const [name = '', ...args] of commands) await admin.call(name, args);
      await start(password === '' ? server.url : as(server.url, 'petstore', password));
      expect(changes.reasons).toEqual([expect.stringMatching(reason)]);
      expect(changes.reasons[0]).not.toContain('secret');
      await stays('degraded');
      if (undo.length === 0) return;
      for (const [name = '', ...args] of undo) await admin.call(name, args);
      await changes.wait('recovered');
      await stays('recovered');
    },
  );
});

describe('a Redis that is not there at the start', () => {
  /** A server that takes connections, and answers the handshake at most. */
  const silent = async (reply: string): Promise<{ url: string; close: () => void }> => {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('data', () => socket.write(reply));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const close = (): void => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    return { url: `redis://127.0.0.1:${(server.address() as net.AddressInfo).port}`, close };
  };

  it('is named when nobody listens, and used once it is there', async () => {
    const server = await startRedis();
    await server.kill();
    await start(server.url);
    expect(changes.reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
    expect(await admittedOf(limiter, newKey(), 70)).toBe(60);
    await server.start();
    await changes.wait('recovered');
    await server.stop();
  });

  it.each([
    ['never answers', ''],
    ['sends nothing after the handshake', '%1\r\n$5\r\nproto\r\n:3\r\n'],
  ])('is given up after a second when it takes connections and %s', async (_, reply) => {
    const server = await silent(reply);
    const since = performance.now();
    await start(server.url);
    expect(performance.now() - since).toBeLessThan(MOST_MS);
    expect(changes.reasons).toEqual([expect.stringContaining('no response')]);
    expect(await admittedOf(limiter, newKey(), 70)).toBe(60);
    server.close();
  });

  it('is not used when it answers what no script does', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write('+OK\r\n'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await start(`redis://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
    expect(changes.reasons).toEqual(['a reply that the script does not give']);
    expect(await admittedOf(limiter, newKey(), 70)).toBe(60);
    await limiter.close();
    server.close();
  });

  it('is used when it goes on, as a server or as a cluster', async () => {
    const single = await startRedis();
    const cluster = await startRedisCluster();
    for (const [url, servers] of [
      [single.url, [single]],
      [cluster.url, cluster.masters],
    ] as const) {
      for (const server of servers) server.pause();
      const since = performance.now();
      await start(url);
      expect(performance.now() - since).toBeLessThan(MOST_MS);
      expect(changes.names).toEqual(['degraded']);
      expect(await admittedOf(limiter, newKey(), 70)).toBe(60);
      for (const server of servers) server.resume();
      await changes.wait('recovered');
      const keys = Array.from({ length: 30 }, () => newKey());
      expect(await Promise.all(keys.map((key) => admittedOf(limiter, key, 70)))).toEqual(keys.map(() => 60));
      // The nodes of a cluster come back one after the other.
      await changes.wait('recovered');
      await limiter.close();
    }
    await Promise.all([single.stop(), cluster.stop()]);
  }, 20_000);
});
