import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KeySigner } from '@petstore/api-key';
import { Client as Session } from 'pg';
import { expectError } from '../support/contract.js';
import { madeUpKey } from '../support/made-up-key.js';
import { serve } from '../support/running-service.js';
import { until, untilHolds } from '../support/until.js';
import { REDIS_AVAILABLE, REDIS_UNAVAILABLE } from '../support/while-shared.js';

const NAME = 'Name-that-nobody-else-shall-read';
const TOKEN = 'idempotency-key-of-somebody';
const REX = { name: 'Rex', categoryId: 7 };
const IS_WAITING = /^petstore_database_waiting [1-9]/m;
const WITHOUT_REDIS = { status: 'degraded', reasons: ['redis'] };

// Longer than in production: on a busy machine, what nothing holds up would be late, too.
const { running, client } = await serve({ OPS_PORT: '0' }, { responseTimeoutMs: 5_000 });
const management = running.service.management ?? '';
const admin = new Session(running.postgres.url);
// The server ends before its session does.
admin.on('error', () => undefined);
await admin.connect();
afterAll(() => admin.end());
// Each test begins with a service that is well; a busy machine may have made Redis miss its time.
beforeEach(async () => {
  await untilReports({ status: 'ok' });
  await until(() => running.logged(REDIS_UNAVAILABLE).length === running.logged(REDIS_AVAILABLE).length);
});

const scrape = async (): Promise<string> => (await fetch(`${management}/metrics`)).text();
const readyz = async (): Promise<unknown> => (await fetch(`${management}/readyz`)).json();
const publicReadyz = async (): Promise<unknown> => JSON.parse((await client.get('/readyz')).text);
/** Readiness has a limit of time, which a busy machine lets a look at the database meet. */
const untilReports = (report: object, look = readyz): Promise<void> =>
  untilHolds(async () => {
    expect(await look()).toEqual(report);
  });

/** Changes the database for as long as `work` takes, however that ends. */
async function whileChanged(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  try {
    await admin.query(change);
    await work();
  } finally {
    await admin.query(undo);
  }
}

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
    await whileChanged(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no %', new.name using errcode = 'data_exception'; end $$;
       create trigger refuse before insert on pets for each row execute function refuse()`,
      'drop function if exists refuse cascade',
      add,
    );
    await whileChanged(
      'alter table pets add constraint short check (length(name) < 9)',
      'alter table pets drop constraint if exists short',
      add,
    );

    const lines = await failures(4);
    for (const secret of [NAME, TOKEN, 'insert into', 'INSERT INTO', 'Failing row'])
      expect(lines).not.toContain(secret);
    expect(lines.match(/"code":"22000"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(lines).toContain('"constraint":"short"');
    // Where it happened is there all the same: by the statement's name on the pipelined pool, by the stack elsewhere.
    expect(lines).toContain('"statement":"pets_insert"');
    expect(lines).toContain('PetRepository.insert');
  });

  it('that looks up a key is logged without its hash', async () => {
    const { text } = new KeySigner(running.environment['API_KEY_PEPPER'] ?? '').issue('test');
    const rename = (from: string, to: string): string =>
      `alter table api_key_secrets rename column ${from} to ${to}`;
    await whileChanged(rename('hash', 'aside'), rename('aside', 'hash'), async () => {
      expectError(await client.with(text).get('/v1/pets'), 'internal_error');
    });
    const lines = await failures(1);
    expect(lines).toContain('"code":"42703"');
    expect(lines).not.toMatch(/[0-9a-f]{64}/);
    expect(lines).not.toContain('parameters');
  });
});

describe('a locked table', () => {
  /** Changes that wait for the table, until it has been seen that some wait for the connections that others have taken. */
  const untilChangesWait = (): Promise<void> =>
    untilHolds(async () => {
      const state = { isOver: false };
      const changes = Array.from({ length: 60 }, (_, n) => client.patch(`/v1/pets/${n + 1}`, REX));
      const all = Promise.all(changes).finally(() => (state.isOver = true));
      let metrics = '';
      while (!state.isOver && !IS_WAITING.test(metrics)) metrics = await scrape();
      await all;
      expect(metrics).toMatch(IS_WAITING);
    });

  it('fails the requests that need it, and no others', async () => {
    expect((await client.post('/v1/pets', REX)).status).toBe(201);
    await whileChanged('begin; lock table pets in access exclusive mode', 'rollback', async () => {
      // An alert is about these.
      await untilChangesWait();
      for (let round = 0; round < 2; round++) {
        const refused = Array.from({ length: 30 }, (_, n) => [
          client.get(`/v1/pets?limit=${n + 1}`),
          client.get(`/v1/pets/${n + 1}`),
          client.post('/v1/pets', REX),
          client.post('/v1/pets', REX, { headers: { 'Idempotency-Key': `locked-${round}-${n}` } }),
        ]).flat();
        // A key on its very first use is looked up; one that there is not is refused, not failed.
        for (let n = 0; n < 2; n++) {
          const stranger = await running.client();
          expectError(await stranger.get('/v1/nothing'), 'route_not_found');
          expectError(await client.with(madeUpKey()).get('/v1/pets'), 'invalid_api_key');
          await untilReports({ status: 'ok' }, publicReadyz);
        }
        for (const reply of await Promise.all(refused)) {
          expectError(reply, 'service_unavailable');
          expect(reply.headers['retry-after']).toBe('1');
        }
      }
    });
    expect((await client.get('/v1/pets')).status).toBe(200);
    expect((await client.post('/v1/pets', REX)).status).toBe(201);
  });
});

describe('what is unavailable', () => {
  it('degrades the service if it is Redis, which says so on both listeners, in the log and in metrics', async () => {
    const outages = running.logged(REDIS_UNAVAILABLE).length;
    running.redis.pause();
    try {
      await client.get('/v1/pets');
      await untilReports(WITHOUT_REDIS);
      await untilReports(WITHOUT_REDIS, publicReadyz);
      const text = await scrape();
      expect(text).toContain('petstore_rate_limit_degraded_nodes 1');
      expect(running.logged(REDIS_UNAVAILABLE)).toHaveLength(outages + 1);
    } finally {
      running.redis.resume();
    }
    await until(() => running.logged(REDIS_AVAILABLE).length > outages);
    await untilReports({ status: 'ok' });
  });

  it('makes it unready if the database lets nobody in, and every request 503, until it does', async () => {
    const { username } = new URL(running.postgres.url);
    const login = `alter role ${username} login`;
    await whileChanged(`alter role ${username} nologin`, login, async () => {
      await untilHolds(async () => {
        // Again and again: a session that was being let in a moment ago is not in the view yet.
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where usename = user and pid <> pg_backend_pid()',
        );
        expect(await readyz()).toEqual({ status: 'unavailable', reasons: ['database'] });
      });
      expect((await client.get('/readyz')).status).toBe(503);
      for (const reply of [await client.get('/v1/pets'), await client.post('/v1/pets', REX)]) {
        expectError(reply, 'service_unavailable');
        expect(reply.headers['retry-after']).toBe('1');
      }
    });
    await untilReports({ status: 'ok' });
    expect(running.logged('database takes no connections').length).toBeGreaterThan(0);
    expect(running.logged('database takes connections again').length).toBeGreaterThan(0);
  });

  it('makes it unready if it is a migration', async () => {
    const [change, undo] = ["set name = 'not-' || name", 'set name = substr(name, 5)'].map(
      (assignment) =>
        `update schema_migrations ${assignment} where id = (select max(id) from schema_migrations)`,
    );
    await whileChanged(change ?? '', undo ?? '', async () => {
      await untilReports({ status: 'unavailable', reasons: ['migrations'] });
      expect((await fetch(`${management}/readyz`)).status).toBe(503);
      expect((await client.get('/readyz')).status).toBe(503);
      expect(await scrape()).toContain('petstore_ready 0');
    });
    await untilReports({ status: 'ok' });
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
    let look = readyz;
    running.redis.pause();
    try {
      const { origin } = await running.another();
      look = async () => (await fetch(`${origin}/readyz`)).json();
      expect(running.logged(REDIS_UNAVAILABLE)).toHaveLength(outages + 1);
      await untilReports(WITHOUT_REDIS, look);
      const { status, headers } = await fetch(`${origin}/v1/pets`);
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([401, '99999']);
      expect(running.logged(REDIS_UNAVAILABLE)).toHaveLength(outages + 1);
    } finally {
      running.redis.resume();
    }
    await untilReports({ status: 'ok' }, look);
    expect(running.logged(REDIS_AVAILABLE).length).toBeGreaterThan(outages);
  });
});
