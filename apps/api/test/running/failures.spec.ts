import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeySigner } from '@petstore/api-key';
import { Redis } from 'ioredis';
import { Client as Session } from 'pg';
import type { Client } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { madeUpKey } from '../support/made-up-key.js';
import { AS_IN_PRODUCTION, runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { REDIS_AVAILABLE, REDIS_UNAVAILABLE } from '../support/while-shared.js';

const NAME = 'Name-that-nobody-else-shall-read';
const TOKEN = 'idempotency-key-of-somebody';
const REX = { name: 'Rex', categoryId: 7 };
const WITHOUT_REDIS = { status: 'degraded', reasons: ['redis'] };

let running: RunningService;
let client: Client;
let admin: Session;
let management: string;

beforeAll(async () => {
  running = await runService({ OPS_PORT: '0' }, { responseTimeoutMs: AS_IN_PRODUCTION });
  client = await running.client();
  management = running.service.management ?? '';
  admin = new Session(running.postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await running.close();
});

const scrape = async (): Promise<string> => (await fetch(`${management}/metrics`)).text();
const readyz = async (): Promise<unknown> => (await fetch(`${management}/readyz`)).json();
const publicReadyz = async (): Promise<unknown> => JSON.parse((await client.get('/readyz')).text);
/** Readiness has a limit of time, which a busy machine lets a look at the database meet. */
const untilReport = (report: object, look = readyz): Promise<void> =>
  until(async () => JSON.stringify(await look()) === JSON.stringify(report));

/** The lines about failures since the last call, once there are so many. */
let seen = 0;
async function failures(count: number): Promise<string> {
  const lines = (): string[] => running.lines.slice(seen).filter((line) => line.includes('"request failed"'));
  await until(() => lines().length >= count);
  const found = lines().join('');
  seen = running.lines.length;
  return found;
}

describe('a failed statement', () => {
  it('is logged without a word of what it was about', async () => {
    const pet = { name: NAME, categoryId: 7 };
    const add = async (): Promise<void> => {
      expectError(await client.post('/v1/pets', pet), 'internal_error');
      const headers = { 'Idempotency-Key': TOKEN };
      expectError(await client.post('/v1/pets', pet, { headers }), 'internal_error');
    };
    await admin.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no %', new.name; end $$;
      create trigger refuse before insert on pets for each row execute function refuse()`);
    await add();
    await admin.query(
      'drop trigger refuse on pets; alter table pets add constraint short check (length(name) < 9)',
    );
    await add();
    await admin.query('alter table pets drop constraint short');

    const lines = await failures(4);
    for (const secret of [NAME, TOKEN, 'insert into', 'INSERT INTO', 'Failing row'])
      expect(lines).not.toContain(secret);
    expect(lines.match(/"code":"P0001"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(lines).toContain('"constraint":"short"');
    // Where it happened is there all the same: by the statement's name on the pipelined pool, by the stack elsewhere.
    expect(lines).toContain('"statement":"pets_insert"');
    expect(lines).toContain('PetRepository.insert');
  });

  it('that looks up a key is logged without its hash', async () => {
    await admin.query('alter table api_key_secrets rename column hash to aside');
    const { text } = new KeySigner(running.environment['API_KEY_PEPPER'] ?? '').issue('test');
    const reply = await client.get('/v1/pets', { headers: { Authorization: `Bearer ${text}` } });
    await admin.query('alter table api_key_secrets rename column aside to hash');
    expectError(reply, 'internal_error');
    const lines = await failures(1);
    expect(lines).toContain('"code":"42703"');
    expect(lines).not.toMatch(/[0-9a-f]{64}/);
    expect(lines).not.toContain('parameters');
  });
});

describe('a locked table', () => {
  it('fails the requests that need it, and no others', async () => {
    expect((await client.post('/v1/pets', REX)).status).toBe(201);
    await admin.query('begin; lock table pets in access exclusive mode');
    // Changes wait for the connections that others have taken, which an alert is about.
    await until(async () => {
      const changes = Array.from({ length: 60 }, (_, n) =>
        client.post(`/v1/pets/${n + 1}`, REX, { method: 'PATCH' }),
      );
      await sleep(100);
      const text = await scrape();
      await Promise.all(changes);
      return /^petstore_database_waiting [1-9]/m.test(text);
    });
    for (let round = 0; round < 2; round++) {
      const refused = Array.from({ length: 30 }, (_, n) => [
        client.get(`/v1/pets?limit=${n + 1}`),
        client.get(`/v1/pets/${n + 1}`),
        client.post('/v1/pets', REX),
        client.post('/v1/pets', REX, { headers: { 'Idempotency-Key': `locked-${round}-${n}` } }),
      ]).flat();
      // A key on its very first use is looked up; one that there is not is refused, not failed.
      for (let n = 0; n < 5; n++) {
        const stranger = await running.client();
        expectError(await stranger.get('/v1/nothing'), 'route_not_found');
        expectError(await client.with(madeUpKey()).get('/v1/pets'), 'invalid_api_key');
        await untilReport({ status: 'ok' }, publicReadyz);
      }
      for (const reply of await Promise.all(refused)) {
        expectError(reply, 'service_unavailable');
        expect(reply.headers['retry-after']).toBe('1');
      }
    }
    await admin.query('rollback');
    expect((await client.get('/v1/pets')).status).toBe(200);
    expect((await client.post('/v1/pets', REX)).status).toBe(201);
  });
});

describe('what is unavailable', () => {
  it('degrades the service if it is Redis, which says so on both listeners, in the log and in metrics', async () => {
    // A busy machine may have made one earlier.
    await until(() => running.logged(REDIS_UNAVAILABLE).length === running.logged(REDIS_AVAILABLE).length);
    const outages = running.logged(REDIS_UNAVAILABLE).length;
    running.redis.pause();
    await client.get('/v1/pets');
    await untilReport(WITHOUT_REDIS);
    await untilReport(WITHOUT_REDIS, publicReadyz);
    const text = await scrape();
    expect(text).toContain('petstore_rate_limit_degraded_nodes 1');
    expect(text).toMatch(/petstore_rate_limit_degraded_seconds_total (?:0\.\d+|[1-9])/);
    expect(running.logged(REDIS_UNAVAILABLE)).toHaveLength(outages + 1);
    running.redis.resume();
    await until(() => running.logged(REDIS_AVAILABLE).length > outages);
    await untilReport({ status: 'ok' });
  });

  it('makes it unready if the database lets nobody in, and every request 503, until it does', async () => {
    const { username } = new URL(running.postgres.url);
    await admin.query(`alter role ${username} nologin`);
    try {
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where usename = user and pid <> pg_backend_pid()',
      );
      await untilReport({ status: 'unavailable', reasons: ['database'] });
      expect((await client.get('/readyz')).status).toBe(503);
      for (const reply of [await client.get('/v1/pets'), await client.post('/v1/pets', REX)]) {
        expectError(reply, 'service_unavailable');
        expect(reply.headers['retry-after']).toBe('1');
      }
    } finally {
      await admin.query(`alter role ${username} login`);
    }
    await untilReport({ status: 'ok' });
    expect(running.logged('database takes no connections').length).toBeGreaterThan(0);
    expect(running.logged('database takes connections again').length).toBeGreaterThan(0);
  });

  it('makes it unready if it is a migration', async () => {
    const { rows } = await admin.query<{ name: string }>(
      'select name from schema_migrations order by id desc',
    );
    const [{ name } = { name: '' }] = rows;
    const rename = (from: string, to: string): Promise<unknown> =>
      admin.query('update schema_migrations set name = $2 where name = $1', [from, to]);
    await rename(name, 'other');
    await untilReport({ status: 'unavailable', reasons: ['migrations'] });
    expect((await fetch(`${management}/readyz`)).status).toBe(503);
    expect((await client.get('/readyz')).status).toBe(503);
    expect(await scrape()).toContain('petstore_ready 0');
    await rename('other', name);
    await untilReport({ status: 'ok' });
    expect(running.logged('readiness changed')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 40, status: 'unavailable', reasons: ['migrations'] }),
        expect.objectContaining({ level: 30, status: 'ok' }),
      ]),
    );
  });
});

describe('a Redis that is not as it should be at the start', () => {
  it('keeps nobody from being served when it hangs, and is used when it goes on', async () => {
    const outages = running.logged(REDIS_UNAVAILABLE).length;
    const returns = running.logged(REDIS_AVAILABLE).length;
    running.redis.pause();
    const started = await running.another();
    const look = async (): Promise<unknown> => (await fetch(`${started.origin}/readyz`)).json();
    expect(running.logged(REDIS_UNAVAILABLE)).toHaveLength(outages + 1);
    expect(await look()).toEqual(WITHOUT_REDIS);
    const { status, headers } = await fetch(`${started.origin}/v1/pets`);
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([401, '99999']);
    expect(running.logged(REDIS_UNAVAILABLE)).toHaveLength(outages + 1);
    running.redis.resume();
    // On a busy machine it can miss its time once more.
    await until(() => running.logged(REDIS_AVAILABLE).length > returns);
    await untilReport({ status: 'ok' }, look);
  });

  it('is told that it refuses a database that there is not, and counts in no other', async () => {
    const redis = new Redis(running.redis.url);
    await redis.flushall();
    const { origin } = await running.another({ REDIS_URL: `${running.redis.url}/16` });
    expect(await (await fetch(`${origin}/readyz`)).json()).toEqual(WITHOUT_REDIS);
    expect(running.logged('redis refuses the limiter, using local limits')).toHaveLength(1);
    expect(running.lines.join('')).toContain('ERR DB index is out of range');
    expect((await fetch(`${origin}/v1/pets`)).headers.get('x-ratelimit-remaining')).toBe('99999');
    expect(await redis.dbsize()).toBe(0);
    redis.disconnect();
  });
});
