import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../support/client.js';
import { positionOf } from '../support/event-reader.js';
import { runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';

/** So long after the last event of another process, events are looked for once a second. */
const IDLE_MS = 1_400;

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

const latest = async (): Promise<string> => positionOf(await client.get('/v1/events?after=latest'));

describe('an event', () => {
  it('is in the feed at once, without the look that comes each second', async () => {
    for (let n = 0; n < 3; n++) {
      await sleep(IDLE_MS);
      const before = await latest();
      expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
      const since = performance.now();
      await until(async () => (await latest()) !== before);
      expect(performance.now() - since).toBeLessThan(500);
    }
  });
});

describe('a start', () => {
  it('takes less than three seconds though Redis hangs', async () => {
    running.redis.pause();
    const since = performance.now();
    await running.another({});
    const took = performance.now() - since;
    running.redis.resume();
    expect(took).toBeLessThan(3_000);
  });
});
