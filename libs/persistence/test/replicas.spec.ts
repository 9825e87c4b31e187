import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration, KeySigner, KeyStoreUnavailableError } from '@petstore/api-key';
import { type EventPage, EventPosition } from '@petstore/event-feed';
import { StoreUnavailableError } from '@petstore/pet-domain';
import {
  MovableAddress,
  type ReplicatedPostgres,
  startMigratedPostgres,
  startReplicatedPostgres,
  type TestPostgres,
} from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Database } from '../src/database/database.js';
import { DatabaseHealth } from '../src/database/database-health.js';
import type { ReplicaState } from '../src/database/read-replica.js';
import type { DataSourceSettings } from '../src/schema/data-source.js';
import { known } from '../src/testing/known.js';
import { PLANS, SCOPES } from '../src/testing/scopes.js';
import { repeatDuring } from './outcomes.js';
import { rex } from './pet-actions.js';
import { Stores } from './stores.js';
import { connect, EVERYTHING } from './test-database.js';
import { Wire } from './wire.js';

const signer = new KeySigner('pepper of the tests');

let servers: ReplicatedPostgres;
/** The address of the primary, whichever server that is. */
let address: MovableAddress;
/** Between the stores and the primary. */
let wire: Wire;
let stores: Stores;
/** What the log is told. */
const states: ReplicaState[] = [];

beforeAll(async () => {
  servers = await startReplicatedPostgres((settings) => Database.open(settings));
  address = await MovableAddress.of(servers.primary);
  wire = await Wire.to(address.url);
  stores = await open({ onReplicaChange: (state) => states.push(state) });
});
afterAll(async () => {
  await stores.close();
  wire.refuse();
  await servers.replica.stop();
  await servers.primary.stop();
  await address.remove();
});
beforeEach(() => untilState('serving'));
afterEach(async () => {
  wire.refusal = undefined;
  await wire.restore();
});

const open = (settings: Partial<DataSourceSettings> = {}): Promise<Stores> =>
  Stores.open({
    url: wire.url,
    readUrl: servers.replica.url,
    // A server may be late on a busy machine; a primary that hangs is noticed before the replica's data is 5 s old.
    responseTimeoutMs: 4_000,
    allowStale: ({ scopes }) => [...scopes].every((scope) => scope.endsWith(':read')),
    ...settings,
  });
const untilState = (wanted: ReplicaState, { database } = stores): Promise<true> =>
  waitFor(() => database.replica?.state === wanted);

async function execute(server: TestPostgres, text: string, values: unknown[] = []): Promise<object[]> {
  const session = await connect(server.url);
  const { rows } = await session.query<object>(text, values);
  await session.end();
  return rows;
}
/** While the replica replays nothing. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await execute(servers.replica, 'select pg_wal_replay_pause()');
  try {
    await work();
  } finally {
    await execute(servers.replica, 'select pg_wal_replay_resume()');
  }
}

const has = async (id: string, allowStale: boolean): Promise<boolean> =>
  (await stores.pets.listByIds({ ids: [known(id) as never] }, allowStale)) !== '[]';
const readFeed = (after?: EventPosition | 'latest', allowStale = true): Promise<EventPage> =>
  stores.eventFeed.read({ after, limit: 100, visibility: EVERYTHING }, allowStale);
/** Adds an animal, and gives its event a position. @returns its id */
async function add(): Promise<string> {
  const { id } = await stores.pets.create(rex);
  await waitFor(async () => (await stores.sequencing.sequence(100)).sequenced > 0);
  return id;
}
/** Breaks the connections of the stores to the primary; what becomes of new ones is said before. */
async function cut(): Promise<void> {
  wire.cut();
  await wire.restore();
}
/** Reads again and again while something happens; no read may fail or hang. */
const readWhile = (happening: Promise<unknown>): Promise<unknown> =>
  repeatDuring(happening, async () => {
    await stores.pets.list({ limit: 5 }, true);
    await sleep(5);
  });

describe('reads that may lag', () => {
  it('are served by the replica while it is at most 5 s behind, and others by the primary', async () => {
    await whilePaused(async () => {
      const id = await add();
      const { position } = await readFeed(undefined, false);
      expect([await has(id, false), await has(id, true)]).toEqual([true, false]);
      // The feed never goes back when the reader meets a replica that is behind.
      expect(EventPosition.compare((await readFeed()).position, position)).toBeLessThan(0);
      expect((await readFeed(position)).position).toBe(position);
      const beyond = known(EventPosition.parse(String(BigInt(position) + 1n)));
      await expect(readFeed(beyond)).rejects.toMatchObject({ isBeyondNewest: true });
      await waitFor(() => states.at(-1) === 'excluded');
      expect(await has(id, true)).toBe(true);
    });
    await waitFor(() => states.at(-1) === 'serving');
  });

  it('go on while the replica is frozen, and while it is killed and started again', async () => {
    try {
      await readWhile(servers.replica.pause().then(() => untilState('excluded')));
    } finally {
      servers.replica.resume();
    }
    await untilState('serving');
    await readWhile(servers.replica.kill().then(() => untilState('excluded')));
    const others = await open();
    await servers.replica.start();
    // Also one that is not there when a process starts is found as soon as it is.
    await Promise.all([untilState('serving'), untilState('serving', others)]);
    await others.close();
  });

  it('are not served by a server that is no standby', async () => {
    const others = await open({ readUrl: servers.primary.url });
    const { id } = await stores.pets.create(rex);
    await sleep(1_200);
    expect(others.database.replica?.ageMs).toBe(Infinity);
    expect(await others.pets.find(id, true)).toContain('"Rex"');
    await others.close();
  });

  it('of the feed begin at a position that every replica has reached that serves reads', async () => {
    const id = await add();
    const { position } = await readFeed(undefined, false);
    expect((await readFeed('latest', false)).position).toBe(position);
    const since = performance.now();
    // One that does not remember 30 s.
    const others = await open({ maxStandaloneAgeMs: 6_000 });
    const latest = await others.eventFeed.read({ after: 'latest', limit: 1, visibility: EVERYTHING }, true);
    expect(latest).toEqual({ json: '[]', position });
    expect(performance.now() - since).toBeGreaterThan(5_000);
    expect(await has(id, true)).toBe(true);
    await others.close();
  });
});

/** The look-up of a new key, which nothing has cached: the replica has it. */
async function lookUpOf(scopes: readonly string[], revokes = false) {
  const administration = new ApiKeyAdministration({
    ...{ repository: stores.apiKeys, signer, scopes: SCOPES, plans: PLANS, mode: 'test' },
  });
  const { key, secret } = await administration.create({ name: 'shop', plan: 'free', scopes }, 'anna');
  if (revokes) await administration.revoke(key.id, 'anna');
  const change = `select from api_keys where id = $1 and ${revokes ? 'revoked_at is not null' : 'true'}`;
  await waitFor(async () => (await execute(servers.replica, change, [key.id])).length > 0);
  return ({ keyLookup } = stores): Promise<unknown> => keyLookup.find(known(signer.verify(secret)));
}

const pooler = 'server login has been failing, try again later (server_login_retry)';

it('a replica serves reads alone while the primary is lost by its pooler', async () => {
  const health = new DatabaseHealth(stores.database);
  const [reader, writer, revoked] = [
    await lookUpOf(['pets:read']),
    await lookUpOf(['pets:read', 'pets:write']),
    await lookUpOf(['pets:read'], true),
  ];
  const id = await add();
  const { position } = await readFeed(undefined, false);
  await waitFor(async () => (await readFeed()).position === position);
  try {
    // No read fails, from the last moment of the primary on.
    wire.refusal = pooler;
    await readWhile(cut().then(() => untilState('standalone')));
    expect(await has(id, true)).toBe(true);
    expect(Number((await stores.petInventory.count(undefined, true)).available)).toBeGreaterThan(0);
    expect(await readFeed(position)).toEqual({ json: '[]', position });
    await expect(readFeed(known(EventPosition.parse(`${position}0`)))).rejects.toThrow(StoreUnavailableError);
    expect(await reader()).toMatchObject({ name: 'shop' });
    expect(await revoked()).toBeUndefined();
    const unknown = stores.keyLookup.find(known(signer.verify(signer.issue('test').text)));
    for (const refused of [writer(), unknown])
      await expect(refused).rejects.toThrow(KeyStoreUnavailableError);
    await expect(has(id, false)).rejects.toThrow(StoreUnavailableError);
    expect(await health.check()).toBe('busy');
    await waitFor(() => states.at(-1) === 'standalone');
    // On another connection when one is lost, too.
    const reads = Array.from({ length: 20 }, () => stores.pets.list({ limit: 5 }, true));
    await execute(
      servers.replica,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore' and pid <> pg_backend_pid()`,
    );
    await Promise.all([...reads, stores.pets.list({ limit: 5 }, true)]);
  } finally {
    wire.refusal = undefined;
  }
  await waitFor(() => states.at(-1) === 'serving');
  await waitFor(async () => (await health.check()) === 'ok');
});

it('a replica serves reads alone for a limited time', async () => {
  const limited = await open({ maxStandaloneAgeMs: 3_000 });
  await untilState('serving', limited);
  const reader = await lookUpOf(['pets:read']);
  wire.refusal = pooler;
  await cut();
  // The other stores have 30 s.
  await untilState('excluded', limited);
  await untilState('standalone');
  await expect(limited.pets.list({ limit: 5 }, true)).rejects.toThrow(StoreUnavailableError);
  await expect(reader(limited)).rejects.toThrow(KeyStoreUnavailableError);
  expect(await new DatabaseHealth(limited.database).check()).toBe('unavailable');
  await limited.close();
});

it('shows no event that the primary has not shown, also when another server becomes the primary', async () => {
  await add();
  const { position } = await readFeed(undefined, false);
  await waitFor(async () => (await readFeed()).position === position);
  // A server that has the same events so far, and less of the log than the replica: it was a standby, too.
  const other = await startMigratedPostgres((settings) => Database.open(settings));
  const events = await execute(servers.primary, 'select * from events');
  await execute(other, 'insert into events select * from json_populate_recordset(null::events, $1)', [
    JSON.stringify(events),
  ]);
  const append = (server: TestPostgres, text: string): Promise<unknown> =>
    execute(
      server,
      `with head as (update event_head set position = position + 1 returning position)
       insert into events select position, 'pet.created', 'pet', null, $1, now() from head`,
      [text],
    );
  await execute(other, 'update event_head set position = $1', [position]);
  const isBehind = async (): Promise<boolean> => {
    const [written] = await execute(other, `select pg_current_wal_lsn() - '0/0' as at`);
    const [replayed] = await execute(servers.replica, `select pg_last_wal_replay_lsn() - '0/0' as at`);
    return Number((written as { at: string }).at) < Number((replayed as { at: string }).at);
  };
  try {
    await execute(servers.primary, 'create table junk as select generate_series(1, 300000)');
    await waitFor(isBehind);
    wire.cut();
    await untilState('standalone');
    await append(servers.primary, '"lost"');
    const lost = `select from events where json = '"lost"'`;
    await waitFor(async () => (await execute(servers.replica, lost)).length > 0);
    expect(await readFeed(position)).toEqual({ json: '[]', position });
    await servers.primary.kill();
    await address.leadTo(other);
    await append(other, '"kept"');
    expect(await isBehind()).toBe(true);
    await wire.restore();
    await waitFor(() => stores.database.replica?.state !== 'standalone');
    await waitFor(async () => {
      const page = await readFeed(position);
      expect(page.json).not.toContain('lost');
      return page.json === '["kept"]';
    });
    // The replica has another history.
    await untilState('excluded');
  } finally {
    await other.stop();
  }
}, 60_000);
