import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, startRedisCluster, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import { KeyId } from '../src/key/key-id.js';
import type { ApiKeyEvent } from '../src/events/api-key-event.js';
import { type ApiKeyEventBusObserver, RedisApiKeyEventBus } from '../src/events/redis-api-key-event-bus.js';

const buses: RedisApiKeyEventBus[] = [];
function busOn(url: string, observer?: ApiKeyEventBusObserver): RedisApiKeyEventBus {
  const bus = new RedisApiKeyEventBus(url.split(','), observer);
  buses.push(bus);
  return bus;
}
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});

const event = (): ApiKeyEvent => ({ kind: 'changed', keyId: KeyId.generate() });

/** Waits for what comes over the network. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('on one Redis', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it('reaches every process, the one that publishes too', async () => {
    const received: ApiKeyEvent[][] = [[], []];
    const [one, other] = [busOn(server.url), busOn(server.url)];
    await one.subscribe((item) => received[0]?.push(item));
    await other.subscribe((item) => received[1]?.push(item));
    const sent: ApiKeyEvent[] = [event(), { kind: 'unbanned', keyId: KeyId.generate() }];
    for (const item of sent) await one.publish(item);
    await until(() => received.every((items) => items.length === 2));
    expect(received).toEqual([sent, sent]);
  });

  it('ignores a message that is no event', async () => {
    const received: ApiKeyEvent[] = [];
    const bus = busOn(server.url);
    await bus.subscribe((item) => received.push(item));
    const stranger = new Redis(server.url);
    for (const text of ['', 'changed', 'changed key_1', `gone ${KeyId.generate()}`, '{"a":1}']) {
      await stranger.publish('petstore:keys', text);
    }
    stranger.disconnect();
    const last = event();
    await bus.publish(last);
    await until(() => received.length > 0);
    expect(received).toEqual([last]);
  });

  it('is there again after Redis was unavailable', async () => {
    const received: ApiKeyEvent[] = [];
    const bus = busOn(server.url);
    await bus.subscribe((item) => received.push(item));
    await server.kill();
    await expect(bus.publish(event())).rejects.toThrow();
    await server.start();
    while (received.length === 0) {
      await bus.publish(event()).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(received[0]?.kind).toBe('changed');
  });

  it('can be subscribed to before Redis is there', async () => {
    await server.kill();
    const received: ApiKeyEvent[] = [];
    const bus = busOn(server.url);
    await bus.subscribe((item) => received.push(item));
    await server.start();
    while (received.length === 0) {
      await bus.publish(event()).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(received).not.toEqual([]);
  });

  it('gives up on a Redis that hangs', async () => {
    const bus = busOn(server.url);
    await bus.publish(event());
    server.pause();
    await expect(bus.publish(event())).rejects.toThrow('did not respond');
    server.resume();
  });
});

describe('on a Redis that is not as it should be', () => {
  let server: TestRedis;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  /** What the observer was told, and whether that was a refusal. */
  const told: string[] = [];
  const observer: ApiKeyEventBusObserver = {
    subscribed: () => told.push('subscribed'),
    unsubscribed: ({ refused, reason }) => told.push(`${refused ? 'refused' : 'unavailable'}: ${reason}`),
  };
  afterEach(() => {
    told.splice(0);
  });

  it('waits no longer than a second when Redis hangs at the start, and is there when it goes on', async () => {
    server.pause();
    const received: ApiKeyEvent[] = [];
    const since = performance.now();
    await busOn(server.url, observer).subscribe((item) => received.push(item));
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(told).toEqual(['unavailable: no response within 1000 ms']);
    server.resume();
    await until(() => told.length === 2);
    await busOn(server.url).publish(event());
    await until(() => received.length === 1);
    expect(told[1]).toBe('subscribed');
  });

  it('tells once that its user may not have the channel, and subscribes when it may', async () => {
    const rights = ['on', '>secret', 'resetchannels', '+subscribe', '+publish'];
    await admin.call('ACL', ['SETUSER', 'petstore', ...rights]);
    const received: ApiKeyEvent[] = [];
    const url = server.url.replace('//', '//petstore:secret@');
    await busOn(url, observer).subscribe((item) => received.push(item));
    await until(() => told.length > 0);
    expect(told).toEqual([expect.stringMatching(/^refused: NOPERM /)]);
    // Asked again, refused again, and told no more.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(told).toHaveLength(1);
    await admin.call('ACL', ['SETUSER', 'petstore', '&petstore:keys']);
    await until(() => told.length === 2);
    expect(told[1]).toBe('subscribed');
    await busOn(url).publish(event());
    await until(() => received.length === 1);
  });
});

it('reaches the subscribers of every node of a cluster', async () => {
  const cluster = await startRedisCluster();
  try {
    const received: ApiKeyEvent[][] = cluster.masters.map(() => []);
    const subscribers = cluster.masters.map(() => busOn(cluster.url));
    await Promise.all(subscribers.map((bus, index) => bus.subscribe((item) => received[index]?.push(item))));
    const sent = event();
    await busOn(cluster.url).publish(sent);
    await until(() => received.every((items) => items.length === 1));
    expect(received.flat()).toEqual(received.map(() => sent));
  } finally {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await cluster.stop();
  }
});
