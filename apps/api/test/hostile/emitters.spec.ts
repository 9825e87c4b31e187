import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { hostileBehaviours } from './hostile-behaviour.js';
import { crowd, reset, send, untilResponse } from './hostile-client.js';
import { bearer, CONNECT, head, hostileRequests } from './hostile-requests.js';
import { hostileSeed } from './seed.js';
import { OUTGOING, WatchedEmitters } from './watched-emitters.js';

const seed = hostileSeed();
let emitters: WatchedEmitters;
let running: RunningService;
let key: string;
let ports: readonly number[];

beforeAll(async () => {
  emitters = new WatchedEmitters();
  running = await runService({ OPS_PORT: '0' });
  key = await running.issueKey();
  const { origin, management = '' } = running.service;
  ports = [origin, management].map((address) => Number(new URL(address).port));
});
afterAll(() => {
  emitters.stop();
});

/** What was found of those whose name begins so. */
const bare = (name: string): string[] => [...emitters.bare].filter((found) => found.startsWith(name));

/** Sends requests until one succeeds, whatever became of those before. */
async function serves(): Promise<void> {
  const client = await running.client();
  await until(async () => (await client.get('/v1/pets').catch(() => undefined))?.status === 200);
}

// Sessions with the database are ended in libs/persistence/test/outages.spec.ts.
describe('every connection has a listener for its errors', () => {
  it('of the public listener and of the management listener, whatever comes', async () => {
    const list = head('GET', '/v1/pets?limit=5', bearer(key));
    for (const port of ports) {
      await crowd(port, 20, () => [send(CONNECT), untilResponse(1_000)], 10);
      await crowd(port, 60, () => [send(CONNECT), reset], 20);
      await crowd(port, 60, () => [send(list + CONNECT), reset], 20);
      await crowd(port, 20, () => [send(list.repeat(20) + CONNECT), untilResponse(200), reset], 10);
      const behaviours = hostileBehaviours(hostileRequests(key), seed, 80);
      await crowd(port, behaviours.length, (index) => behaviours[index] ?? [], 40);
    }
    expect(bare('listener')).toEqual([]);
    for (const port of ports) expect(emitters.seen.get(`listener ${port}`)).toBeGreaterThan(50);
  });

  it('to Redis, also while it is unavailable', async () => {
    await running.redis.kill();
    await serves();
    await running.redis.start();
    await serves();
    expect(bare(OUTGOING)).toEqual([]);
    expect(emitters.seen.get(OUTGOING)).toBeGreaterThan(10);
  });

  it('to the end of the service', async () => {
    const port = ports[0] ?? 0;
    const [closing] = [running.close(), crowd(port, 100, () => [send(CONNECT), reset], 2)];
    await closing;
    expect(bare('')).toEqual([]);
  });
});
