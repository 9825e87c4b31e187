import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, startRedisSentinel, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '../src/index.js';
import { ChangeLog } from './change-log.js';
import { admittedOf, newKey, valueOf } from './requests.js';

const key = newKey();

let servers: TestRedis[];
let limiter: RateLimiter;
const changes = new ChangeLog();

beforeAll(async () => {
  const master = await startRedis();
  const replica = await startRedis({ settings: ['--replicaof', '127.0.0.1', String(master.port)] });
  const sentinel = await startRedisSentinel('limits', master);
  servers = [master, replica, sentinel];
  const observed = new Redis(sentinel.url);
  while (!JSON.stringify(await observed.call('SENTINEL', ['REPLICAS', 'limits'])).includes('"ok"'))
    await sleep(50);
  observed.disconnect();
  const sentinels = [{ host: '127.0.0.1', port: sentinel.port }];
  const redis = new Redis({ sentinels, name: 'limits', lazyConnect: true });
  limiter = await createRateLimiter({ redis, observer: changes });
});
afterAll(async () => {
  await limiter.close();
  await Promise.all(servers.map((server) => server.stop()));
});

it('goes on with the master that Sentinel names when the one before is lost', async () => {
  const [master, replica] = servers;
  if (master === undefined || replica === undefined) throw new Error('two servers expected');
  expect(await admittedOf(limiter, key, 20)).toBe(20);
  // So that the replica has it, too.
  await sleep(100);
  await master.kill();
  await changes.wait('degraded');
  expect(await admittedOf(limiter, key, 20)).toBe(20);
  const observed = new Redis(replica.url);
  await changes.wait('recovered');
  expect(await admittedOf(limiter, key, 60)).toBe(20);
  expect(await observed.exists(valueOf(key))).toBe(1);
  expect(await observed.info('replication')).toContain('role:master');
  observed.disconnect();
}, 20_000);
