import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { admittedOf, newKey, redisAt } from './requests.js';
import { PATIENT, startLimiter } from './start-limiter.js';

const PASSWORD = 'pa:ss/wo%rd';
/** What the documents name as enough. */
const OPERATIONS = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const [, NAMED = ''] = /^ACL SETUSER petstore on >PASSWORD (.*)$/m.exec(OPERATIONS) ?? [];
const RIGHTS = NAMED.split(' ');
const TIMEOUTS = { ...PATIENT, retryAfterMs: 20 };

let server: TestRedis;
let admin: Redis;
let limiter: RateLimiter;
let changes: ChangeLog;

beforeAll(async () => {
  server = await startRedis({ settings: ['--maxmemory-policy', 'noeviction'] });
  admin = new Redis(server.url, { retryStrategy: () => 20 });
  admin.on('error', () => undefined);
  await admin.call('ACL', ['SETUSER', 'petstore', 'on', `>${PASSWORD}`, ...RIGHTS]);
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});
afterEach(() => limiter.close());

const start = async (url: string): Promise<void> => {
  ({ limiter, changes } = await startLimiter({
    redis: redisAt(url),
    timeouts: TIMEOUTS,
    keyPrefix: 'petstore:limit:',
  }));
};

/** The address of the server with a user and a password, escaped as they have to be. */
const as = (user: string, password = PASSWORD): string =>
  server.url.replace('//', `//${user}:${encodeURIComponent(password)}@`);

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
  it('serves a user who has just the rights that the documents name', async () => {
    await start(as('petstore'));
    const key = newKey({ perMinute: 60, perDay: 61 });
    expect(await admittedOf(limiter, key, 30)).toBe(30);
    // Several steps, whose batches are written and read.
    for (let i = 0; i < 3; i++) {
      await sleep(310);
      expect(await admittedOf(limiter, key, 5)).toBe(5);
    }
    expect((await limiter.inspect({ ...key, limits: { perMinute: 1, perDay: 1 } })).minute.used).toBe(45);
    expect(await admittedOf(limiter, key, 160)).toBe(15);
    expect(await limiter.liftBan(key.id)).toBe(true);
    expect(changes.names).toEqual([]);
    expect(await admin.exists(`petstore:limit:{${key.id}}`)).toBe(1);
  });

  it.each<[string, RegExp, string[], string[]]>([
    [
      'a password',
      /^NOAUTH /,
      ['CONFIG', 'SET', 'requirepass', PASSWORD],
      ['CONFIG', 'SET', 'requirepass', ''],
    ],
    ['no memory', /^OOM /, ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['a master', /^READONLY /, ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])(
    'is unavailable from the start when it has %s, says why, and is used later',
    async (_, reason, [command = '', ...args], [undo = '', ...undoArgs]) => {
      await admin.call(command, args);
      await start(server.url);
      expect(changes.reasons).toEqual([expect.stringMatching(reason)]);
      await stays('degraded');
      await admin.call(undo, undoArgs);
      await changes.wait('recovered');
      await stays('recovered');
    },
  );

  it('refuses another password, which is not shown', async () => {
    await start(as('petstore', 'secret-but-wrong'));
    expect(changes).toMatchObject({ reasons: [expect.stringMatching(/^WRONGPASS /)], refused: [true] });
    expect(changes.reasons[0]).not.toContain('secret');
    await stays('degraded');
  });

  it.each<[string, RegExp, () => string]>([
    ['a database that there is not', /^ERR DB index is out of range/, () => `${server.url}/16`],
    ['a database to a user who may not choose', /^NOPERM .*'select'/, () => `${as('petstore')}/1`],
  ])('refuses %s, and counts nothing elsewhere', async (_, reason, url) => {
    await admin.flushall();
    await start(url());
    expect(changes).toMatchObject({ reasons: [expect.stringMatching(reason)], refused: [true] });
    await stays('degraded');
    expect(await admin.info('keyspace')).not.toContain('db');
  });

  it('serves another database', async () => {
    await start(`${server.url}/1`);
    const key = newKey();
    expect(await admittedOf(limiter, key, 70)).toBe(60);
    expect(changes.names).toEqual([]);
    expect(await admin.info('keyspace')).toMatch(/^db1:keys=/m);
  });
});

describe('a Redis that is not there at the start', () => {
  /** Said by whichever time limit is over first on a busy machine: the limiter's or that of its client. */
  const SILENT = /no response|Socket timeout/;

  it('is named when nobody listens, and used once it is there', async () => {
    await server.kill();
    await start(server.url);
    expect(changes.reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
    expect(await admittedOf(limiter, newKey(), 70)).toBe(60);
    await server.start();
    await changes.wait('recovered');
  });

  it.each([
    ['never responds', () => '', SILENT],
    [
      'sends nothing after the handshake',
      (seen: number) => (seen === 0 ? '%1\r\n$5\r\nproto\r\n:3\r\n' : ''),
      SILENT,
    ],
    ['responds what no script does', () => '+OK\r\n', /a reply that the script does not give/],
  ])('is given up when it takes connections and %s', async (_, replyTo, reason) => {
    const sockets = new Set<net.Socket>();
    const stranger = net.createServer((socket) => {
      let seen = 0;
      sockets.add(socket.on('error', () => undefined));
      socket.on('data', () => socket.write(replyTo(seen++)));
    });
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    changes = new ChangeLog();
    limiter = await createRateLimiter({
      redis: redisAt(`redis://127.0.0.1:${(stranger.address() as net.AddressInfo).port}`),
      observer: changes,
      timeouts: { ...TIMEOUTS, responseTimeoutMs: 1_000 },
    });
    try {
      await changes.wait('degraded');
      expect(changes.reasons[0]).toMatch(reason);
      expect(await admittedOf(limiter, newKey(), 70)).toBe(60);
    } finally {
      await limiter.close();
      for (const socket of sockets) socket.destroy();
      stranger.close();
    }
  });
});
