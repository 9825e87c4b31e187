import { afterEach, describe, expect, it } from '@jest/globals';
import { Client as PgClient } from 'pg';
import type { Client, Reply } from '../support/client.js';
import { metricsOf } from '../support/metrics.js';
import { RawConnection } from '../support/raw-connection.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';

const MOST = 8;

const { running, client } = await serve({ MAX_CONCURRENT_REQUESTS: String(MOST), OPS_PORT: '0' });

/** Sessions that are ended after a test at the latest: of one that has failed, too. */
const holders: PgClient[] = [];
afterEach(async () => {
  for (const holder of holders.splice(0)) await holder.end();
});

/** Keeps every list waiting in the database until it is called off. */
async function holdResponses(): Promise<() => Promise<void>> {
  const holder = new PgClient(running.postgres.url);
  holders.push(holder);
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table pets in access exclusive mode');
  return () => holder.end();
}

/** Resolves when so many requests are being worked on. */
async function inFlight(count: number): Promise<void> {
  await until(async () => {
    const metrics = await metricsOf(running.service.management ?? '');
    return metrics.get('petstore_http_requests_in_flight') === count;
  });
}

/** Clients with a key and an address each, whose keys and connections need not be looked up or made any more. */
async function strangers(count: number): Promise<Client[]> {
  const all = await Promise.all(
    Array.from({ length: count }, async (_, i) => (await running.client()).at(`127.0.2.${i + 1}`)),
  );
  // One after the other: there may be more of them than places.
  for (const each of all) expect((await each.get('/v1/pets/0')).status).toBe(404);
  return all;
}

describe('more requests at once than the process serves', () => {
  it('are refused early, consuming nothing, while the others are served', async () => {
    const clients = await strangers(10);
    const release = await holdResponses();
    const served: Reply[] = [];
    const refused: Reply[] = [];
    const replies = clients.flatMap((each) =>
      Array.from({ length: 5 }, async () => {
        const reply = await each.get('/v1/pets');
        (reply.status === 200 ? served : refused).push(reply);
        // Whoever is refused does not wait for those that are served.
        if (refused.length === 50 - MOST) await release();
      }),
    );
    await Promise.all(replies);
    expect(served).toHaveLength(MOST);
    for (const reply of refused) {
      expectError(reply, 'service_unavailable');
      expectLimitHeaders(reply);
      expect(reply.headers).toMatchObject({ 'retry-after': '1', vary: 'Origin, Authorization' });
    }
    let consumed = 0;
    for (const each of clients) {
      const { status, headers } = await each.get('/v1/pets');
      expect(status).toBe(200);
      consumed += 1_000_000 - Number(headers['x-ratelimit-remaining']);
    }
    expect(consumed).toBe(MOST + 2 * clients.length);
  });

  it('are refused behind the key: how it stands is told as far as it is known', async () => {
    const limited = await running.client({ plan: 'free' });
    const scopeless = await running.client({ scopes: ['orders:read'] });
    const clients = await strangers(MOST);
    // What is known of a key is forgotten after 8 s, which a busy machine may need to come to the refusal.
    await until(async () => {
      const { headers } = await limited.get('/v1/pets');
      expect(headers['x-ratelimit-limit']).toBe('60');
      const release = await holdResponses();
      const held = Promise.all(clients.map((each) => each.get('/v1/pets')));
      await inFlight(MOST);
      const refused = await limited.get('/v1/pets/1');
      expectError(refused, 'service_unavailable');
      expect(refused.headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
      // Before the scope, which is required behind the limits.
      expectError(await scopeless.get('/v1/pets'), 'service_unavailable');
      for (const stranger of [limited.with('wrong'), running.connect()])
        expect((await stranger.get('/v1/nothing')).status).toBe(401);
      await release();
      await held;
      return ['limit', 'remaining'].every(
        (name) => refused.headers[`x-ratelimit-${name}`] === headers[`x-ratelimit-${name}`],
      );
    });
  });

  it('do not keep health checks from being served', async () => {
    const clients = await strangers(10);
    const release = await holdResponses();
    const load = Promise.all(clients.map((each) => each.get('/v1/pets')));
    const health = await Promise.all([client.get('/livez'), client.get('/readyz')]);
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
    await release();
    await load;
  });
});

describe('the places for requests', () => {
  const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status).sort();

  it('are a quarter for one key, whatever its addresses; what is refused consumes nothing', async () => {
    const one = await running.client({ plan: 'free' });
    const everywhere = Array.from({ length: 5 }, (_, i) => one.at(`127.0.4.${i + 1}`));
    const release = await holdResponses();
    const replies = Promise.all(everywhere.map((each) => each.get('/v1/pets')));
    await inFlight(MOST / 4);
    expect((await client.get('/v1/pets/0')).status).toBe(404);
    await release();
    expect(statuses(await replies)).toEqual([200, 200, 503, 503, 503]);
    for (const reply of await replies) expectLimitHeaders(reply);
    expect((await one.get('/v1/pets')).headers['x-ratelimit-remaining']).toBe('57');
  });

  it('are given back by requests whose client vanishes, pipelined ones included', async () => {
    const key = await running.issueKey();
    const get = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const release = await holdResponses();
    const vanishing = Array.from({ length: 2 * MOST }, () => new RawConnection(running.service.origin));
    for (const each of vanishing) each.write(get.repeat(50));
    await inFlight(MOST / 4);
    for (const { socket } of vanishing) socket.resetAndDestroy();
    await inFlight(0);
    // The statements of those that have gone still wait.
    const one = client.with(key);
    const replies = Promise.all(Array.from({ length: MOST / 4 }, () => one.get('/v1/pets')));
    await inFlight(MOST / 4);
    await release();
    expect(statuses(await replies)).toEqual([200, 200]);
  });
});
