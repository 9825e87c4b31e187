import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PgClient } from 'pg';
import { Client, type Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

const MOST = 8;

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService({ MAX_CONCURRENT_REQUESTS: String(MOST) });
  client = await running.client();
});
afterAll(() => running.close());

/** Keeps every list waiting in the database until it is called off. */
async function holdAnswers(): Promise<() => Promise<void>> {
  const holder = new PgClient(running.postgres.url);
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table pets in access exclusive mode');
  return () => holder.end();
}

describe('more requests at once than the process serves', () => {
  it('are refused early, without being charged, while the others are served', async () => {
    const before = Number((await client.get('/v1/pets')).headers['x-ratelimit-remaining']);
    const release = await holdAnswers();
    const served: Reply[] = [];
    const refused: Reply[] = [];
    const replies = Array.from({ length: 50 }, async () => {
      const reply = await client.get('/v1/pets');
      (reply.status === 200 ? served : refused).push(reply);
      // Whoever is refused does not wait for those that are served.
      if (refused.length === 50 - MOST) await release();
    });
    await Promise.all(replies);
    expect(served).toHaveLength(MOST);
    for (const reply of refused) {
      expectError(reply, 'service_unavailable');
      expectLimitHeaders(reply);
      expect(reply.headers['retry-after']).toBe('1');
    }
    const after = Number((await client.get('/v1/pets')).headers['x-ratelimit-remaining']);
    expect(before - after).toBe(MOST + 1);
  });

  it('are refused whatever they are: how a key or an address stands is told as far as it is known', async () => {
    const limited = await running.client({ plan: 'free' });
    await limited.get('/v1/pets');
    const release = await holdAnswers();
    const held = Promise.all(Array.from({ length: MOST }, () => client.get('/v1/pets')));
    await sleep(50);
    const known = await limited.get('/v1/pets/1');
    expectError(known, 'service_unavailable');
    expect(known.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    });
    for (const stranger of [limited.with('wrong'), new Client(running.service.origin)]) {
      const reply = await stranger.get('/v1/nothing');
      expectError(reply, 'service_unavailable');
      expect(reply.headers['x-ratelimit-limit']).toBe('100000');
      expect(reply.headers['sunset']).toBeUndefined();
      stranger.close();
    }
    await release();
    await held;
  });

  it('do not keep health from being answered', async () => {
    const release = await holdAnswers();
    const load = Promise.all(Array.from({ length: 30 }, () => client.get('/v1/pets')));
    const health = await Promise.all([client.get('/livez'), client.get('/readyz')]);
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
    await release();
    await load;
  });

  it('leave nothing behind', async () => {
    await Promise.all(Array.from({ length: 50 }, () => client.get('/v1/pets')));
    for (let i = 0; i < 20; i++) expect((await client.get('/v1/pets')).status).toBe(200);
  });
});
