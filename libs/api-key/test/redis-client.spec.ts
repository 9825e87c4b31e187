import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, startRedisCluster, type TestRedis } from '@petstore/test-servers';
import { createRedisClient, type RedisClient } from '../src/redis/redis-client.js';

const PASSWORD = 'pa:ss/wo%rd';
const clients: RedisClient[] = [];
const clientOf = (...args: Parameters<typeof createRedisClient>): RedisClient => {
  const client = createRedisClient(...args);
  clients.push(client);
  return client;
};
afterAll(() => {
  for (const client of clients) client.disconnect();
});

describe('a client of one Redis', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it('logs in with the percent-encoded password of its address, as a user of few rights', async () => {
    await clientOf([server.url]).call('ACL', ['SETUSER', 'few', 'on', `>${PASSWORD}`, '~a', '+set', '+get']);
    const client = clientOf([server.url.replace('//', `//few:${encodeURIComponent(PASSWORD)}@`)]);
    await client.set('a', '1');
    expect(await client.get('a')).toBe('1');
  });

  it('does not connect before it is used, where it is told so', async () => {
    const client = clientOf([server.url], { lazyConnect: true });
    expect(client.status).toBe('wait');
    await client.set('b', '2');
    expect(client.status).toBe('ready');
  });

  it('rejects a command after one more attempt, and prints no error', async () => {
    const client = clientOf(['redis://127.0.0.1:1']);
    await expect(client.get('a')).rejects.toThrow('max retries per request');
    expect(client.listenerCount('error')).toBe(1);
  });
});

it('a client of a cluster finds all of its nodes, and logs in to each with the first one’s password', async () => {
  const cluster = await startRedisCluster();
  try {
    const admin = clientOf(cluster.url.split(','));
    for (const { url } of cluster.masters) await clientOf([url]).config('SET', 'requirepass', PASSWORD);
    const [first = '', ...others] = cluster.url.split(',');
    const client = clientOf([first.replace('//', `//default:${encodeURIComponent(PASSWORD)}@`), ...others]);
    for (let i = 0; i < 30; i++) await client.set(`key-${i}`, String(i));
    for (let i = 0; i < 30; i++) expect(await client.get(`key-${i}`)).toBe(String(i));
    admin.disconnect();
    client.disconnect();
  } finally {
    await cluster.stop();
  }
});
