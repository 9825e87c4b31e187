import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Session } from 'pg';
import { runService, type RunningService } from '../running-service.js';
import { until } from '../until.js';
import { hostileBehaviours } from './hostile-behaviour.js';
import { crowd, reset, send, untilResponse } from './hostile-client.js';
import { bearer, head, hostileRequests } from './hostile-requests.js';
import { hostileSeed } from './seed.js';
import { OUTGOING, SESSION, WatchedEmitters } from './watched-emitters.js';

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

const seed = hostileSeed();
let emitters: WatchedEmitters;
let running: RunningService;
let key: string;
let ports: readonly number[];

beforeAll(async () => {
  emitters = new WatchedEmitters();
  running = await runService({ OPS_PORT: '0', MAX_CONNECTIONS_PER_ADDRESS: '10000' });
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

describe('every connection has a listener for its errors', () => {
  it('of the public listener and of the management listener, whatever comes', async () => {
    const list = head('GET', '/v1/pets?limit=5', bearer(key));
    for (const port of ports) {
      await crowd(port, 20, () => [send(CONNECT), untilResponse(1_000)], 10);
      await crowd(port, 60, () => [send(CONNECT), reset], 20);
      await crowd(port, 60, () => [send(list + CONNECT), reset], 20);
      await crowd(port, 20, () => [send(list.repeat(20) + CONNECT), untilResponse(200), reset], 10);
      const behaviours = hostileBehaviours(hostileRequests(key), seed, 120);
      await crowd(port, behaviours.length, (index) => behaviours[index] ?? [], 20);
    }
    expect(bare('listener')).toEqual([]);
    for (const port of ports) expect(emitters.seen.get(`listener ${port}`)).toBeGreaterThan(100);
  });

  it('to the database, also while its sessions are ended', async () => {
    const session = new Session(running.postgres.url);
    session.on('error', () => undefined);
    await session.connect();
    const client = await running.client();
    for (let i = 0; i < 30; i++) {
      const asked = Array.from({ length: 12 }, (_, n) =>
        client.get(n % 2 ? '/readyz' : `/v1/pets?limit=${n}`).catch(() => undefined),
      );
      await session.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
      );
      await Promise.all(asked);
    }
    await session.end();
    await serves();
    expect(bare(SESSION)).toEqual([]);
    expect(emitters.seen.get(SESSION)).toBeGreaterThan(10);
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
