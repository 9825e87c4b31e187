import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { askAgain, type Asked } from './asker.js';
import { startMigratedServer } from './migrated-server.js';
import { everythingWorks, LATEST, nobody, QUESTIONS, rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

/** For so long a table is locked, in milliseconds: longer than anything may take. */
const LOCKED = 2_500;
/** Results in that time that show that a question is not held up, on a busy machine, too: the lock allows none. */
const ENOUGH = 5;
/** Each is locked in a database of its own, all of them at the same time. */
const OTHER_TABLES = ['api_keys', 'api_key_usage', 'idempotent_requests'];

let server: TestPostgres;
let admin: Client;
let stores: Stores;

beforeAll(async () => {
  server = await startMigratedServer();
  admin = new Client(server.url);
  await admin.connect();
  // A database can be copied while nobody else is connected to it.
  for (const table of OTHER_TABLES) await admin.query(`create database ${table} template postgres`);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});
beforeEach(async () => {
  stores = await Stores.open({ url: server.url });
});
afterEach(() => stores.close());

async function whileLocked(
  session: Client,
  table: string,
  questions: readonly (() => Promise<unknown>)[],
): Promise<Asked[]> {
  await session.query(`begin; lock table ${table} in access exclusive mode`);
  const end = new AbortController();
  const asked = questions.map((ask) => askAgain(ask, end.signal));
  await sleep(LOCKED);
  end.abort();
  const results = await Promise.all(asked);
  await session.query('rollback');
  return results;
}

const asksOf =
  (one: Stores) =>
  (name: string): (() => Promise<unknown>) => {
    const found = QUESTIONS.find(([what]) => what === name);
    if (found === undefined) throw new Error(name);
    return () => found[1](one);
  };

const OTHERS = ['key look-up', 'keys of an operator', 'use of keys'];

describe.each([
  ['with connections that are there', true],
  ['with connections that are still to be made', false],
])('a lock on the animals, %s,', (_when, warm) => {
  it('fails what needs them, in time, and nothing else', async () => {
    // One after the other: a busy machine would refuse some of so many at once.
    for (let n = 0; warm && n < 10; n++) await everythingWorks(stores);
    // Many wait at once, as requests do; each addition that must happen once has a connection of the pool.
    const asks = asksOf(stores);
    const petQuestions = ['list', 'list of a status', 'find', 'add', 'addition once'].flatMap((name) =>
      Array.from({ length: 20 }, () => asks(name)),
    );
    const others = [
      ...OTHERS.map(asks),
      () => stores.database.ping(),
      () => stores.database.missingMigrations(),
    ];
    const results = await whileLocked(admin, 'pets', [...petQuestions, ...others]);
    for (const { answers, failures, slowest } of results.slice(0, petQuestions.length)) {
      expect(answers).toBe(0);
      expect(failures.length).toBeGreaterThan(1);
      expect(failures.every((error) => error instanceof StoreUnavailableError)).toBe(true);
      expect(slowest).toBeLessThan(LATEST);
    }
    for (const { answers, failures, slowest } of results.slice(petQuestions.length)) {
      expect(failures).toEqual([]);
      expect(answers).toBeGreaterThan(ENOUGH);
      expect(slowest).toBeLessThan(LATEST / 2);
    }
    // Nobody took the server for one that is unavailable, and nothing is left behind.
    await everythingWorks(stores);
    expect(stores.database.poolStats().waiting).toBe(0);
  });
});

describe('a lock on another table', () => {
  const asked = new Map<string, readonly Asked[]>();

  async function askAboutAnimals(table: string): Promise<readonly Asked[]> {
    const url = new URL(server.url);
    url.pathname = table;
    const session = new Client(url.href);
    await session.connect();
    const copy = await Stores.open({ url: url.href });
    await everythingWorks(copy);
    const asks = asksOf(copy);
    const blocked = [...OTHERS, 'addition once'].flatMap((name) =>
      Array.from({ length: 4 }, () => asks(name)),
    );
    const animals = ['list', 'find', 'add'].map(asks);
    const results = await whileLocked(session, table, [...animals, ...blocked]);
    await copy.close();
    await session.end();
    return results.slice(0, animals.length);
  }

  beforeAll(async () => {
    await Promise.all(OTHER_TABLES.map(async (table) => asked.set(table, await askAboutAnimals(table))));
  });

  it.each(OTHER_TABLES)('of %s leaves animals alone', (table) => {
    expect(asked.get(table)).toHaveLength(3);
    for (const { failures, answers } of asked.get(table) ?? []) {
      expect(failures).toEqual([]);
      expect(answers).toBeGreaterThan(ENOUGH);
    }
  });
});

describe('a statement that is cancelled', () => {
  it('fails alone', async () => {
    await everythingWorks(stores);
    await admin.query('begin; lock table pets in access exclusive mode');
    const failure = stores.pets.find(nobody).catch((error: unknown) => error);
    await soon(async () => {
      const { rowCount } = await admin.query(
        `select pg_cancel_backend(pid) from pg_locks where relation = 'pets'::regclass and not granted`,
      );
      expect(rowCount).toBe(1);
    });
    expect(await failure).toMatchObject({ name: 'StoreUnavailableError', cause: { code: '57014' } });
    await stores.database.ping();
    await admin.query('rollback');
    expect(await stores.pets.find(nobody)).toBeUndefined();
  });
});

describe('a role that may have few connections', () => {
  it.each([4, 6])(
    'of %i is served with those: what comes at once beyond them is refused as unavailable',
    async (limit) => {
      await admin.query(`
      create role few${limit} login superuser password 'few' connection limit ${limit};
      alter role few${limit} nosuperuser;
      grant all on all tables in schema public to few${limit}`);
      const url = new URL(server.url);
      url.username = `few${limit}`;
      url.password = 'few';
      const limited = await Stores.open({ url: url.href });
      try {
        // One connection of each kind is enough for everything that is asked later.
        await limited.pets.find(nobody);
        await limited.pets.create(rex);
        for (let round = 0; round < 3; round++) {
          for (const [, ask] of QUESTIONS) await ask(limited);
          await limited.database.ping();
        }
        const atOnce = await Promise.allSettled(QUESTIONS.flatMap(([, ask]) => [ask(limited), ask(limited)]));
        for (const outcome of atOnce)
          if (outcome.status === 'rejected')
            expect((outcome.reason as Error).name).toMatch(/StoreUnavailableError$/);
        for (const [, ask] of QUESTIONS) await ask(limited);
      } finally {
        await limited.close();
      }
      await soon(async () => {
        await admin.query(`drop owned by few${limit}; drop role few${limit}`);
      });
    },
  );
});
