import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as PgClient } from 'pg';
import type { Client, Reply } from './client.js';
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

  it('still find out whether their key is valid, and nothing else without one', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => client.get('/v1/pets', i % 2 === 0 ? {} : { key: 'wrong' })),
    );
    for (const [i, reply] of replies.entries()) {
      if (i % 2 === 1) expectError(reply, 'invalid_api_key');
    }
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
