import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
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
afterEach(async () => {
  wire.refusal = wire.holds = undefined;
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

async function execute(server: TestPostgres, text: string, values: unknown[] = []): Promise<object[]> {
  const session = await connect(server.url);
  const { rows } = await session.query<object>(text, values);
  await session.end();
  return rows;
}

const untilState = (wanted: ReplicaState, { database } = stores): Promise<true> =>
  waitFor(() => database.replica?.state === wanted);

const readFeed = (after?: EventPosition): Promise<EventPage> =>
  stores.eventFeed.read({ after, limit: 100, visibility: EVERYTHING }, true);

/** The look-up of a new key, which nothing has cached: the replica has it. */
async function lookUpOf(
  scopes: readonly string[],
  revokes = false,
): Promise<(used?: Stores) => Promise<unknown>> {
  const administration = new ApiKeyAdministration({
    ...{ repository: stores.apiKeys, signer, scopes: SCOPES, plans: PLANS, mode: 'test' },
  });
  const { key, secret } = await administration.create({ name: 'shop', plan: 'free', scopes }, 'anna');
  if (revokes) await administration.revoke(key.id, 'anna');
  const change = `select from api_keys where id = $1 and ${revokes ? 'revoked_at is not null' : 'true'}`;
  await waitFor(async () => (await execute(servers.replica, change, [key.id])).length > 0);
  return ({ keyLookup } = stores) => keyLookup.find(known(signer.verify(secret)));
}

/** Breaks the connections of the stores to the primary; what becomes of new ones is said before. */
async function cut(): Promise<void> {
  wire.cut();
  await wire.restore();
}

const pooler = 'server login has been failing, try again later (server_login_retry)';

it.each<[string, () => Promise<unknown>, () => unknown]>([
  ['is killed', () => servers.primary.kill(), () => servers.primary.start()],
  [
    'hangs',
    () => servers.primary.pause(),
    () => {
      servers.primary.resume();
    },
  ],
  ['is lost by its pooler', () => ((wire.refusal = pooler), cut()), () => undefined],
  ['is behind a proxy that hangs', () => ((wire.holds = 'connections'), cut()), () => undefined],
])('a replica serves reads alone while the primary %s', async (_how, begin, end) => {
  await untilState('serving');
  const health = new DatabaseHealth(stores.database);
  const [reader, writer, revoked] = [
    await lookUpOf(['pets:read']),
    await lookUpOf(['pets:read', 'pets:write']),
    await lookUpOf(['pets:read'], true),
  ];
  const pet = await stores.pets.create(rex);
  await waitFor(async () => (await stores.sequencing.sequence(100)).sequenced > 0);
  await waitFor(async () => (await readFeed()).json.includes(pet.id));
  const { position } = await readFeed();
  try {
    // No read fails, from the last moment of the primary on.
    await repeatDuring(
      begin().then(() => untilState('standalone')),
      async () => {
        expect(await stores.pets.find(pet.id, true)).toBeDefined();
        await sleep(5);
      },
    );
    expect(await stores.pets.list({ limit: 5 }, true)).toMatchObject({
      json: expect.stringContaining('Rex'),
    });
    expect(await stores.pets.listByIds({ ids: [pet.id] }, true)).toContain('Rex');
    expect(await stores.pets.findProfile(pet.id, true)).toBe('{}');
    expect(Number((await stores.petInventory.count(undefined, true)).available)).toBeGreaterThan(0);
    expect(await readFeed(position)).toEqual({ json: '[]', position });
    await expect(readFeed(known(EventPosition.parse(`${position}0`)))).rejects.toThrow(StoreUnavailableError);
    expect(await reader()).toMatchObject({ name: 'shop' });
    expect(await revoked()).toBeUndefined();
    await expect(writer()).rejects.toThrow(KeyStoreUnavailableError);
    await expect(stores.keyLookup.find(known(signer.verify(signer.issue('test').text)))).rejects.toThrow(
      KeyStoreUnavailableError,
    );
    await expect(stores.pets.find(pet.id)).rejects.toThrow(StoreUnavailableError);
    expect(await health.check()).toBe('busy');
    await waitFor(() => states.at(-1) === 'standalone');
  } finally {
    wire.refusal = wire.holds = undefined;
    await end();
  }
  await untilState('serving');
  await waitFor(() => states.at(-1) === 'serving');
  await waitFor(async () => (await health.check()) === 'ok');
});

it('a replica serves reads on another connection when one is lost, also alone', async () => {
  await untilState('serving');
  wire.refusal = pooler;
  await cut();
  await untilState('standalone');
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'petstore' and pid <> pg_backend_pid()`;
  for (let round = 0; round < 3; round++) {
    const reads = Array.from({ length: 20 }, () => stores.pets.list({ limit: 5 }, true));
    await execute(servers.replica, terminate);
    await Promise.all([...reads, stores.pets.list({ limit: 5 }, true)]);
  }
});

it('a replica serves reads alone for a limited time', async () => {
  const limited = await open({ maxStandaloneAgeMs: 3_000 });
  try {
    await Promise.all([untilState('serving'), untilState('serving', limited)]);
    const reader = await lookUpOf(['pets:read']);
    wire.refusal = pooler;
    await cut();
    // The other stores have 30 s.
    await untilState('excluded', limited);
    await untilState('standalone');
    await expect(limited.pets.list({ limit: 5 }, true)).rejects.toThrow(StoreUnavailableError);
    await expect(reader(limited)).rejects.toThrow(KeyStoreUnavailableError);
    expect(await new DatabaseHealth(limited.database).check()).toBe('unavailable');
  } finally {
    await limited.close();
  }
});

it('shows no event that the primary has not shown, also when another server becomes the primary', async () => {
  await untilState('serving');
  await stores.pets.create(rex);
  await waitFor(async () => (await stores.sequencing.sequence(100)).sequenced > 0);
  const { position } = await stores.eventFeed.read({ limit: 100, visibility: EVERYTHING });
  await waitFor(async () => (await readFeed()).position === position);
  // A server that has the same events so far, and less of the log than the replica: it was a standby, too.
  const other = await startMigratedPostgres((settings) => Database.open(settings));
  const events = await execute(servers.primary, 'select * from events');
  await execute(other, 'insert into events select * from json_populate_recordset(null::events, $1)', [
    JSON.stringify(events),
  ]);
  const add = (server: TestPostgres, text: string): Promise<unknown> =>
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
    await add(servers.primary, '"lost"');
    const lost = `select from events where json = '"lost"'`;
    await waitFor(async () => (await execute(servers.replica, lost)).length > 0);
    expect(await readFeed(position)).toEqual({ json: '[]', position });
    await servers.primary.kill();
    await address.leadTo(other);
    await add(other, '"kept"');
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
