import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PetName, StoreUnavailableError } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Database, openDatabase } from '../src/database/database.js';
import { known } from '../src/testing/known.js';
import { addOnce } from './add-once.js';
import { type CuttableWire, cuttableWire } from './cuttable-wire.js';
import { everythingIsRefused, everythingWorks, LATEST, nobody, rex } from './questions.js';
import { crash } from './crash.js';
import { soon } from './soon.js';

const NAME = 'petstore-away';
/** Fails fast: no server is asked. */
const AT_ONCE = 250;

let server: TestPostgres;
let admin: Client;
let line: CuttableWire;
let database: Database;

const connectAdmin = async (): Promise<Client> => {
  const client = new Client(server.url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

beforeAll(async () => {
  server = await startTestPostgres();
  admin = await connectAdmin();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

beforeEach(async () => {
  line = await cuttableWire(server.url);
  database = await openDatabase({ url: line.url, applicationName: NAME });
  await database.migrate();
  await everythingWorks(database);
});
afterEach(async () => {
  await soon(() => everythingWorks(database));
  await database.close();
  line.close();
  // Nothing is left on the server either.
  await soon(async () => {
    expect(await sessions()).toEqual([]);
  });
});

async function sessions(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 order by pid',
    [NAME],
  );
  return rows.map(({ pid }) => pid);
}

describe('a server that hangs', () => {
  it('costs one wait, then refuses at once, and is back as soon as it goes on', async () => {
    await server.pause();
    try {
      await everythingIsRefused(database, LATEST);
      await everythingIsRefused(database, AT_ONCE);
      expect(database.poolStats().waiting).toBe(0);
    } finally {
      server.resume();
    }
    await soon(() => everythingWorks(database), 1_000);
  });

  it('does not hold up the end', async () => {
    const other = await openDatabase({ url: server.url, applicationName: NAME });
    await everythingWorks(other);
    await server.pause();
    const asked = expect(other.pets.find(nobody)).rejects.toThrow(StoreUnavailableError);
    const since = performance.now();
    try {
      await other.close();
      expect(performance.now() - since).toBeLessThan(4_000);
    } finally {
      server.resume();
    }
    await asked;
  });
});

describe('a server that refuses connections', () => {
  it('is refused at once, and is back as soon as it listens', async () => {
    line.refuse();
    await everythingIsRefused(database, LATEST);
    await everythingIsRefused(database, AT_ONCE);
    await line.restore();
    await soon(() => everythingWorks(database), 1_000);
  });
});

describe('a server that crashes and recovers', () => {
  it('keeps every acknowledged animal, adds none twice, and fails only as unavailable', async () => {
    const acknowledged = new Map<string, string>();
    let working = true;
    let tries = 0;
    const failures: unknown[] = [];
    const adder = async (who: number): Promise<void> => {
      while (working) {
        const name = known(PetName.parse(`Crash ${who} ${tries++}`));
        await database.pets.add({ ...rex, name }).then(
          ({ id }) => acknowledged.set(id, name),
          async (error: unknown) => {
            failures.push(error);
            await sleep(5);
          },
        );
      }
    };
    const adders = Array.from({ length: 16 }, (_, who) => adder(who));
    await sleep(200);
    await crash(admin, NAME);
    admin = await soon(connectAdmin, 10_000);
    await soon(() => everythingWorks(database), 5_000);
    const before = acknowledged.size;
    await sleep(200);
    working = false;
    await Promise.all(adders);
    expect(acknowledged.size).toBeGreaterThan(before);
    expect(failures.every((error) => error instanceof StoreUnavailableError)).toBe(true);
    const { rows } = await admin.query<{ id: string; name: string }>(
      `select id, name from pets where name like 'Crash %'`,
    );
    const kept = new Map(rows.map(({ id, name }) => [id, name]));
    expect([...acknowledged].filter(([id, name]) => kept.get(id) !== name)).toEqual([]);
    expect(new Set(kept.values()).size).toBe(kept.size);
  });
});

describe('connections that are ended', () => {
  it('are made anew for the next question', async () => {
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      NAME,
    ]);
    await soon(() => everythingWorks(database), AT_ONCE);
  });

  it('after the primary has become a standby lead to the new primary', async () => {
    await admin.query('alter database postgres set default_transaction_read_only = on');
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      NAME,
    ]);
    await soon(() => database.pets.find(nobody));
    await expect(database.pets.add(rex)).rejects.toThrow(StoreUnavailableError);
    const once = (token: string): Promise<unknown> => addOnce(database, rex, { caller: 'standby', token });
    await expect(once('t1')).rejects.toThrow(StoreUnavailableError);
    await admin.query('set default_transaction_read_only = off');
    await admin.query('alter database postgres reset default_transaction_read_only');
    // These connections would go on refusing; none of them is used again.
    expect(await database.pets.add(rex)).toMatchObject(rex);
    expect(await once('t1')).toMatchObject({ kind: 'carried_out' });
  });
});

describe('a server that takes no more connections', () => {
  it('goes on with those there are, and takes more when it can', async () => {
    await admin.query(`
      create role few login superuser password 'few' connection limit 2;
      alter role few nosuperuser;
      grant all on all tables in schema public to few`);
    const url = new URL(server.url);
    url.username = url.password = 'few';
    const limited = await openDatabase({ url: url.href, applicationName: NAME });
    await limited.pets.find(nobody);
    const since = performance.now();
    await expect(limited.pets.add(rex)).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - since).toBeLessThan(LATEST);
    expect(await limited.pets.find(nobody)).toBeUndefined();
    await limited.ping();
    await admin.query('alter role few connection limit 20');
    await soon(() => everythingWorks(limited), 1_000);
    await limited.close();
  });
});

describe('tables that somebody else has locked', () => {
  it('are given up in time by the server, on connections that stay', async () => {
    const before = await sessions();
    await admin.query(
      'begin; lock table pets, idempotent_requests, add_requests, api_key_secrets, api_keys in access exclusive mode',
    );
    const since = performance.now();
    for (const question of await Promise.allSettled([
      database.pets.list({ limit: 1 }),
      database.pets.find(nobody),
      database.pets.add(rex),
    ])) {
      expect(question).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    }
    expect(performance.now() - since).toBeLessThan(LATEST);
    await admin.query('rollback');
    expect(await sessions()).toEqual(before);
  });

  it('do not fill the pool for longer than a question may take', async () => {
    await admin.query('begin; lock table idempotent_requests in access exclusive mode');
    const since = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => addOnce(database, rex, { caller: 'locked', token: String(n) })),
    );
    expect(performance.now() - since).toBeLessThan(LATEST);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    await admin.query('rollback');
    expect(database.poolStats().waiting).toBe(0);
  });
});
