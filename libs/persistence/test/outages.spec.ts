import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { Client } from 'pg';
import { ListenNotifyBus } from '../src/api-keys/listen-notify-bus.js';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { DatabaseHealth } from '../src/database/database-health.js';
import { addOnce, rex } from './pet-actions.js';
import { everythingIsRefused, everythingWorks, NO_PET, QUERIES, worksAgain } from './queries.js';
import { Stores } from './stores.js';
import { connect, startMigratedServer } from './test-database.js';
import { Wire } from './wire.js';

/** How the sessions of the tested database are found on the server. */
const NAME = 'petstore-outage';
/** Longer than usual, so that everything is in time on a busy machine, too. */
const SETTINGS = { applicationName: NAME, answerTimeoutMs: 4_000 };

let server: TestPostgres;
/** A session of a superuser, past the wire. */
let admin: Client;
let wire: Wire;
/** Stores behind the wire. */
let stores: Stores;

beforeAll(async () => {
  server = await startMigratedServer();
  admin = await connect(server.url);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});
beforeEach(async () => {
  wire = await Wire.to(server.url);
  stores = await Stores.open({ url: wire.url, ...SETTINGS });
  await everythingWorks(stores);
});
// After each test everything works again, and once the database is closed none of its sessions is left on the server.
afterEach(async () => {
  wire.terminatesSessions = false;
  await wire.restore();
  await waitFor(() => worksAgain(stores));
  await stores.close();
  wire.refuse();
  const left = `select from pg_stat_activity where application_name = '${NAME}'`;
  await waitFor(async () => (await admin.query(left)).rowCount === 0);
});

/** Ends sessions, those of the tested database by default. */
const terminate = async (which = `application_name = '${NAME}'`): Promise<number> => {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where ${which}`,
  );
  return rowCount ?? 0;
};

describe('a server that hangs', () => {
  it('costs one wait, then refuses at once, and is back as soon as it goes on', async () => {
    await server.pause();
    try {
      await everythingIsRefused(stores, false);
      await everythingIsRefused(stores, true);
      expect(stores.database.poolStats().waiting).toBe(0);
    } finally {
      server.resume();
    }
  });

  it('does not hold up the end', async () => {
    const other = await Stores.open({ url: server.url, ...SETTINGS });
    await everythingWorks(other);
    await server.pause();
    const query = expect(other.pets.find(NO_PET)).rejects.toThrow(StoreUnavailableError);
    try {
      await other.close();
    } finally {
      server.resume();
    }
    await query;
  });
});

describe('a server that takes no further connection', () => {
  it.each<[string, () => void, () => void]>([
    [
      'its postmaster hangs',
      () => process.kill(server.pid, 'SIGSTOP'),
      () => process.kill(server.pid, 'SIGCONT'),
    ],
    ['it is lost on the way', () => (wire.holds = 'connections'), () => (wire.holds = undefined)],
    ['a pooler has no session left', () => (wire.holds = 'sessions'), () => (wire.holds = undefined)],
    [
      'a pooler refuses them',
      () => (wire.refusal = 'no more connections allowed (max_client_conn)'),
      () => (wire.refusal = undefined),
    ],
  ])('because %s costs those that need one, and no others', async (_why, begin, end) => {
    const some = await Stores.open({ url: wire.url, ...SETTINGS });
    const health = new DatabaseHealth(some.database);
    begin();
    try {
      // More at once than there are connections.
      const crowd = Array.from({ length: 30 }, (_, n) =>
        addOnce(some, rex, { caller: 'crowd', token: `${n}` }),
      );
      const outcomes = (await Promise.allSettled(crowd)).map(({ status }) => status);
      expect(new Set(outcomes)).toEqual(new Set(['fulfilled', 'rejected']));
      expect([some.database.breaker.refusal, some.database.breaker.isLimited]).toEqual([undefined, true]);
      expect(await health.check()).toBe('busy');
      // One after the other, so that the connections that are open are enough.
      for (let round = 0; round < 3; round++) for (const query of Object.values(QUERIES)) await query(some);
    } finally {
      end();
    }
    await waitFor(() => worksAgain(some));
    await waitFor(async () => (await health.check()) === 'ok');
    await some.close();
  });
});

it('a check that waits too long does not speak for requests that are served', async () => {
  await admin.query('begin; lock table schema_migrations in access exclusive mode');
  const load = { on: true };
  const requests = (async () => {
    while (load.on) await stores.pets.find(NO_PET);
  })();
  const status = await new DatabaseHealth(stores.database).check();
  load.on = false;
  await admin.query('rollback');
  expect(status).toBe('busy');
  await requests;
});

it('a pooler that has lost its server says so in the log, and is used again as soon as it has one', async () => {
  wire.cut();
  await wire.restore();
  wire.refusal = 'server login has been failing, try again later (server_login_retry)';
  await waitFor(() => stores.database.breaker.refusal !== undefined || worksAgain(stores).then(() => false));
  await expect(stores.pets.find(NO_PET)).rejects.toMatchObject({
    cause: {
      cause: {
        message: expect.stringMatching(
          /^A connection pooler .* cannot log in to PostgreSQL; .* \(server login/,
        ),
      },
    },
  });
  wire.refusal = undefined;
});

it('a server is not blamed for a pause of this process', async () => {
  const paused = await Stores.open({ url: server.url, answerTimeoutMs: 4_000 });
  // What has just been begun, a connection among it, has not even been sent when the process stops.
  const begun = [
    paused.pets.find(NO_PET),
    paused.keyUsage.add([]),
    new DatabaseHealth(paused.database).check(),
    openClient({ connectionString: server.url, connectMs: 2_000 }).then((client) => endClient(client)),
  ];
  // Longer than each of them may take: 60 % of the 4 s, 1.5 s and 2 s.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
  expect(await Promise.all(begun)).toEqual([undefined, undefined, 'ok', undefined]);
  expect(paused.database.breaker.refusal).toBeUndefined();
  await paused.close();
});

it('a server that refuses connections is used again as soon as it listens', async () => {
  wire.refuse();
  await everythingIsRefused(stores, false);
  expect(stores.database.poolStats().waiting).toBe(0);
});

it('reports connections that broke while nothing used them', async () => {
  const other = await Wire.to(server.url);
  const reports: string[] = [];
  const onIdleError = (error: Error): unknown => reports.push(error.message);
  const reporting = await Stores.open({ url: other.url, ...SETTINGS, onIdleError });
  other.cut();
  await waitFor(() => reports.length > 0);
  expect(new Set(reports)).toEqual(new Set(['Connection terminated unexpectedly']));
  await reporting.close();
  other.refuse();
});

it('a primary that has become a standby loses its connections, and the next ones lead to the new primary', async () => {
  await admin.query('alter database postgres set default_transaction_read_only = on');
  const { rows } = await admin.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = '${NAME}'`,
  );
  // Each has only been told to end: an idle one would be lent once more.
  const left = 'select from pg_stat_activity where pid = any ($1)';
  await waitFor(async () => (await admin.query(left, [rows.map(({ pid }) => pid)])).rowCount === 0);
  await waitFor(() =>
    stores.pets.find(NO_PET).then(
      () => true,
      () => false,
    ),
  );
  const once = (): Promise<unknown> => addOnce(stores, rex, { caller: 'standby', token: 't' });
  await expect(stores.pets.create(rex)).rejects.toThrow(StoreUnavailableError);
  await expect(once()).rejects.toThrow(StoreUnavailableError);
  const health = new DatabaseHealth(stores.database);
  expect(await health.check()).toBe('read_only');
  await admin.query('set default_transaction_read_only = off');
  await admin.query('alter database postgres reset default_transaction_read_only');
  // These connections would go on refusing; none of them is used again.
  expect(await stores.pets.create(rex)).toMatchObject(rex);
  expect(await once()).toMatchObject({ isReplayed: false });
  await waitFor(async () => (await health.check()) === 'ok');
});

it('a role that may have few connections is served with those, and with more when it may', async () => {
  await admin.query(`
    create role few login superuser password 'few' connection limit 4;
    alter role few nosuperuser;
    grant all on all tables in schema public to few`);
  const url = new URL(server.url);
  url.username = url.password = 'few';
  const limited = await Stores.open({ url: url.href, ...SETTINGS });
  // One connection of each kind is enough for everything that comes one after the other.
  for (let round = 0; round < 2; round++) {
    for (const query of Object.values(QUERIES)) await query(limited);
    await limited.database.ping();
  }
  const atOnce = await Promise.allSettled(
    Object.values(QUERIES).flatMap((query) => [query(limited), query(limited)]),
  );
  const names = atOnce.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as Error).name] : [],
  );
  for (const name of names) expect(name).toMatch(/StoreUnavailableError$/);
  for (const query of Object.values(QUERIES)) await query(limited);
  await admin.query('alter role few connection limit 20');
  await waitFor(() => worksAgain(limited));
  await limited.close();
});

describe('a session that is ended at the moment at which it becomes ready', () => {
  /** Sends every query again and again, until `isOver`. */
  async function queryUntil(used: Stores, isOver: () => boolean): Promise<void> {
    const loops = Object.values(QUERIES).map(async (query) => {
      while (!isOver()) {
        await query(used).catch(() => undefined);
        // What is refused at once would otherwise leave no time for sessions to be made.
        await sleep(5);
      }
    });
    await Promise.all(loops);
  }

  it('costs a query, and never the process', async () => {
    const events = new ListenNotifyBus(stores.database);
    await events.subscribe(() => undefined);
    wire.terminatesSessions = true;
    await terminate();
    await queryUntil(stores, () => wire.terminated > 100);
    await events.close();
  });

  it('is one of many when all are ended without a pause', async () => {
    let ended = 0;
    const isOver = (): boolean => ended > 60;
    const querying = queryUntil(stores, isOver);
    while (!isOver()) ended += await terminate();
    await querying;
  });
});
