import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { Client } from 'pg';
import { ListenNotifyBus } from '../src/api-keys/listen-notify-bus.js';
import { DatabaseHealth } from '../src/database/database-health.js';
import { addOnce, rex } from './pet-actions.js';
import { everythingIsRefused, everythingWorks, NO_PET, QUERIES, worksAgain } from './queries.js';
import { Stores } from './stores.js';
import { connect, startMigratedServer } from './test-database.js';
import { Wire } from './wire.js';

/** How the sessions of the tested database are found on the server. */
const NAME = 'petstore-outage';
/** Longer than usual, so that everything is in time on a busy machine, too. */
const SETTINGS = { applicationName: NAME, responseTimeoutMs: 4_000 };

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
  it('costs one wait of each call, also of those that need a new connection, and is back as soon as it goes on', async () => {
    await server.pause();
    try {
      await everythingIsRefused(stores);
      await everythingIsRefused(stores);
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

it('a server that refuses connections is used again as soon as it listens', async () => {
  wire.refuse();
  await everythingIsRefused(stores);
  expect(stores.database.poolStats().waiting).toBe(0);
});

it('reports an outage once at its beginning and once at its end', async () => {
  const other = await Wire.to(server.url);
  const reports: string[] = [];
  const onSessionAttempt = (refusal: Error | undefined): unknown =>
    reports.push(refusal?.message ?? 'connected again');
  const reporting = await Stores.open({ url: other.url, ...SETTINGS, onSessionAttempt });
  other.cut();
  for (let n = 0; n < 10; n++) await expect(reporting.database.manager.query('select 1')).rejects.toThrow();
  await other.restore();
  await waitFor(() => worksAgain(reporting));
  expect(reports).toEqual([expect.stringMatching(/ECONN|terminated/), 'connected again']);
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
  const once = (): Promise<unknown> => addOnce(stores, rex, { caller: 'standby', token: 't' });
  const health = new DatabaseHealth(stores.database);
  try {
    await waitFor(() =>
      stores.pets.find(NO_PET).then(
        () => true,
        () => false,
      ),
    );
    await expect(stores.pets.create(rex)).rejects.toThrow(StoreUnavailableError);
    await expect(once()).rejects.toThrow(StoreUnavailableError);
    expect(await health.check()).toBe('read_only');
  } finally {
    await admin.query('set default_transaction_read_only = off');
    await admin.query('alter database postgres reset default_transaction_read_only');
  }
  // These connections would go on refusing; none of them is used again.
  expect(await stores.pets.create(rex)).toMatchObject(rex);
  expect(await once()).toMatchObject({ isReplayed: false });
  await waitFor(async () => (await health.check()) === 'ok');
});

it('a role that may have few connections is served with those, and with more when it may', async () => {
  await admin.query(`
    create role few login superuser password 'few' connection limit 5;
    alter role few nosuperuser;
    grant all on all tables in schema public to few`);
  const url = new URL(server.url);
  url.username = url.password = 'few';
  const limited = await Stores.open({ url: url.href, ...SETTINGS });
  // One connection of each kind is enough for everything that comes one after the other.
  for (let round = 0; round < 2; round++) {
    for (const query of Object.values(QUERIES)) await query(limited);
    await limited.database.manager.query('select 1');
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

describe('a server that lets nobody in any more', () => {
  let service: Stores;
  beforeAll(async () => {
    await admin.query(`
      create role service login password 'login';
      grant all on all tables in schema public to service`);
    const url = new URL(server.url);
    [url.username, url.password] = ['service', 'login'];
    service = await Stores.open({ url: url.href, ...SETTINGS, applicationName: 'petstore-service' });
  });
  afterAll(() => service.close());

  it.each([
    [
      'the password is another one',
      `alter role service password 'other'`,
      `alter role service password 'login'`,
    ],
    ['the role may not log in', 'alter role service nologin', 'alter role service login'],
    [
      'the role may have no connection',
      'alter role service connection limit 0',
      'alter role service connection limit -1',
    ],
    [
      'the database takes no connections',
      // What `allow_connections false` does, from a session of the same database.
      'update pg_database set datallowconn = false',
      'update pg_database set datallowconn = true',
    ],
  ])('is unavailable because %s, and is used again as soon as it does', async (_why, take, give) => {
    const health = new DatabaseHealth(service.database);
    await admin.query(take);
    try {
      await terminate(`usename = 'service'`);
      await waitFor(() =>
        everythingIsRefused(service).then(
          () => true,
          () => false,
        ),
      );
      expect(await health.check()).toBe('unavailable');
    } finally {
      await admin.query(give);
    }
    await waitFor(() => worksAgain(service));
    await waitFor(async () => (await health.check()) === 'ok');
  });
});

it('sessions that are ended without a pause, also as they begin, cost queries, and never the process', async () => {
  const events = new ListenNotifyBus(stores.database);
  await events.subscribe(() => undefined);
  let ended = 0;
  const isOver = (): boolean => ended > 60;
  const loops = Object.values(QUERIES).map(async (query) => {
    while (!isOver()) {
      await query(stores).catch(() => undefined);
      // What is refused at once would otherwise leave no time for sessions to be made.
      await sleep(5);
    }
  });
  while (!isOver()) ended += await terminate(`application_name in ('${NAME}', 'petstore key events')`);
  await Promise.all(loops);
  await events.close();
});
