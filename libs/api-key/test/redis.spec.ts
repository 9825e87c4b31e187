import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, startRedisCluster, type TestRedis, type TestRedisCluster } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { ApiKeyEvent } from '../src/events/api-key-event-bus.js';
import { RedisApiKeyEventBus } from '../src/events/redis-api-key-event-bus.js';
import { KeyId } from '../src/key/key-id.js';
import { createRedisClient, type RedisClient } from '../src/redis/redis-client.js';

const PASSWORD = 'pa:ss/wo%rd';

let server: TestRedis;
let cluster: TestRedisCluster;
let admin: RedisClient;
let opened: { close: () => unknown }[];
/** What the observers of buses were told, and whether that was a refusal. */
let told: string[];

beforeAll(async () => {
  server = await startRedis();
  cluster = await startRedisCluster();
  admin = createRedisClient([server.url]);
});
afterAll(async () => {
  admin.disconnect();
  await Promise.all([server.stop(), cluster.stop()]);
});
beforeEach(() => {
  opened = [];
  told = [];
});
afterEach(() => Promise.all(opened.map((each) => each.close())));

function clientOf(...args: Parameters<typeof createRedisClient>): RedisClient {
  const client = createRedisClient(...args);
  opened.push({
    close: () => {
      client.disconnect();
    },
  });
  return client;
}

function busOn(url: string): RedisApiKeyEventBus {
  const bus = new RedisApiKeyEventBus(url.split(','), {
    subscribed: () => told.push('subscribed'),
    unsubscribed: ({ refused, reason }) => told.push(`${refused ? 'refused' : 'unavailable'}: ${reason}`),
  });
  opened.push(bus);
  return bus;
}

/** A bus that is subscribed to, or soon will be, and what it has received. */
async function subscriberOn(url: string): Promise<{ bus: RedisApiKeyEventBus; received: ApiKeyEvent[] }> {
  const received: ApiKeyEvent[] = [];
  const bus = busOn(url);
  await bus.subscribe((event) => received.push(event));
  return { bus, received };
}

const newEvent = (kind: ApiKeyEvent['kind'] = 'changed'): ApiKeyEvent => ({ kind, keyId: KeyId.generate() });

/** The address of a server with a user and a password, escaped as they have to be. */
const as = (url: string, user: string): string =>
  url.replace('//', `//${user}:${encodeURIComponent(PASSWORD)}@`);

describe('events of keys', () => {
  it('reach every process, the one that publishes too, and nothing else does', async () => {
    const all = await Promise.all([subscriberOn(server.url), subscriberOn(server.url)]);
    for (const text of ['', 'changed', 'changed key_1', `gone ${KeyId.generate()}`, '{"a":1}'])
      await admin.publish('petstore:keys', text);
    const sent = [newEvent(), newEvent('unbanned')];
    for (const event of sent) await all[0].bus.publish(event);
    await waitFor(() => all.every(({ received }) => received.length === 2));
    expect(all.map(({ received }) => received)).toEqual([sent, sent]);
  });

  it('reach the subscribers of every node of a cluster', async () => {
    const all = await Promise.all(cluster.masters.map(() => subscriberOn(cluster.url)));
    const sent = newEvent();
    await busOn(cluster.url).publish(sent);
    await waitFor(() => all.every(({ received }) => received.length === 1));
    expect(all.flatMap(({ received }) => received)).toEqual(all.map(() => sent));
  });

  it('arrive again after Redis was unavailable, and on a bus that was subscribed to meanwhile', async () => {
    const before = await subscriberOn(server.url);
    await server.kill();
    await expect(before.bus.publish(newEvent())).rejects.toThrow();
    const during = await subscriberOn(server.url);
    await server.start();
    while (before.received.length === 0 || during.received.length === 0) {
      await before.bus.publish(newEvent()).catch(() => undefined);
      await sleep(20);
    }
    expect(before.received[0]?.kind).toBe('changed');
  });

  it('are given up by one who publishes them to a Redis that hangs', async () => {
    const bus = busOn(server.url);
    await bus.publish(newEvent());
    server.pause();
    await expect(bus.publish(newEvent())).rejects.toThrow('did not respond');
    server.resume();
  });

  it('are waited for no longer than a second when Redis hangs at the start, and arrive when it goes on', async () => {
    server.pause();
    const { received } = await subscriberOn(server.url);
    expect(told).toEqual(['unavailable: no response within 1000 ms']);
    server.resume();
    await waitFor(() => told.length === 2);
    expect(told[1]).toBe('subscribed');
    await busOn(server.url).publish(newEvent());
    await waitFor(() => received.length === 1);
  });

  it('that a user may not have are reported once, and arrive when it may', async () => {
    const rights = ['on', `>${PASSWORD}`, 'resetchannels', '+subscribe', '+publish'];
    await admin.call('ACL', ['SETUSER', 'listener', ...rights]);
    const { received } = await subscriberOn(as(server.url, 'listener'));
    await waitFor(() => told.length > 0);
    expect(told).toEqual([expect.stringMatching(/^refused: NOPERM /)]);
    // Asked again, refused again, and told no more.
    const asked = async (): Promise<boolean> =>
      /^cmdstat_subscribe:.*rejected_calls=[2-9]/m.test(await admin.info('commandstats'));
    await waitFor(asked);
    expect(told).toHaveLength(1);
    await admin.call('ACL', ['SETUSER', 'listener', '&petstore:keys']);
    await waitFor(() => told.length === 2);
    expect(told[1]).toBe('subscribed');
    await busOn(as(server.url, 'listener')).publish(newEvent());
    await waitFor(() => received.length === 1);
  });
});

describe('a client of Redis', () => {
  it('logs in with the percent-encoded password of its address, as a user of few rights', async () => {
    await admin.call('ACL', ['SETUSER', 'few', 'on', `>${PASSWORD}`, '~a', '+set', '+get']);
    const client = clientOf([as(server.url, 'few')]);
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

  it('finds all nodes of a cluster, and logs in to each with the password of the first', async () => {
    for (const { url } of cluster.masters) await clientOf([url]).config('SET', 'requirepass', PASSWORD);
    const [first = '', ...others] = cluster.url.split(',');
    const client = clientOf([as(first, 'default'), ...others]);
    for (let i = 0; i < 30; i++) await client.set(`key-${i}`, String(i));
    for (let i = 0; i < 30; i++) expect(await client.get(`key-${i}`)).toBe(String(i));
  });
});
