import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { startRedis, type TestRedis } from './redis.js';
import { startRedisCluster, type TestRedisCluster } from './redis-cluster.js';

describe('startRedis', () => {
  let server: TestRedis;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url, { retryStrategy: () => 20 });
    client.on('error', () => undefined);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('gives an empty server', async () => {
    expect(await client.dbsize()).toBe(0);
  });

  it('gives a server that hangs and goes on on demand', async () => {
    server.pause();
    let answered = false;
    const answer = client.ping().then(() => (answered = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answered).toBe(false);
    server.resume();
    await answer;
  });

  it('gives a server that can crash and come back empty on the same port', async () => {
    await client.set('key', 'value');
    await server.kill();
    await server.start();
    expect(await client.get('key')).toBeNull();
  });
});

describe('startRedisCluster', () => {
  let servers: TestRedisCluster;

  beforeAll(async () => {
    servers = await startRedisCluster();
  });

  afterAll(() => servers.stop());

  it('gives masters that share the slots, and moves a slot with its keys', async () => {
    const [first, , third] = servers.masters;
    if (first === undefined || third === undefined) throw new Error('three masters expected');
    const cluster = new Cluster(servers.url.split(','));
    // Slot 5061 is the first master's.
    await cluster.set('{bar}', 'value');
    const move = await servers.moveSlot(5061, first, third);
    await move.moveKeys();
    await move.finish();
    expect(await cluster.get('{bar}')).toBe('value');
    cluster.disconnect();
    const direct = new Redis(third.url);
    expect(await direct.get('{bar}')).toBe('value');
    direct.disconnect();
  });
});
