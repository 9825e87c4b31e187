import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Database, openDatabase } from '../src/database/database.js';
import { startMigratedServer } from './migrated-server.js';
import { everythingWorks, LATEST, nobody, QUESTIONS, rex } from './questions.js';
import { soon } from './soon.js';

/** For so long a table is locked, in milliseconds: longer than anything may take. */
const LOCKED = 2_500;

let server: TestPostgres;
let admin: Client;
let database: Database;

beforeAll(async () => {
  server = await startMigratedServer();
  admin = new Client(server.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});
beforeEach(async () => {
  database = await openDatabase({ url: server.url });
});
afterEach(() => database.close());

interface Asked {
  readonly answers: number;
  readonly failures: Error[];
  /** Longest that one took, in milliseconds. */
  readonly slowest: number;
}

/** Asks one question at a time, with a pause of 5 ms, until `signal` says that it is enough. */
async function askAgain(ask: () => Promise<unknown>, signal: AbortSignal): Promise<Asked> {
  let answers = 0;
  let slowest = 0;
  const failures: Error[] = [];
  while (!signal.aborted) {
    const since = performance.now();
    await ask().then(
      () => answers++,
      (error: unknown) => failures.push(error as Error),
    );
    slowest = Math.max(slowest, performance.now() - since);
    await sleep(5);
  }
  return { answers, failures, slowest };
}

async function whileLocked(table: string, questions: readonly (() => Promise<unknown>)[]): Promise<Asked[]> {
  const { pid } = (await admin.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0] ?? {
    pid: 0,
  };
  expect(pid).toBeGreaterThan(0);
  await admin.query(`begin; lock table ${table} in access exclusive mode`);
  const end = new AbortController();
  const asked = questions.map((ask) => askAgain(ask, end.signal));
  await sleep(LOCKED);
  end.abort();
  const results = await Promise.all(asked);
  await admin.query('rollback');
  return results;
}

const asks = (name: string): (() => Promise<unknown>) => {
  const found = QUESTIONS.find(([what]) => what === name);
  if (found === undefined) throw new Error(name);
  return () => found[1](database);
};

const OTHERS = ['key look-up', 'keys of an operator', 'use of keys'];

describe.each([
  ['with connections that are there', true],
  ['with connections that are still to be made', false],
])('a lock on the animals, %s,', (_when, warm) => {
  it('fails what needs them, in time, and nothing else', async () => {
    if (warm) await Promise.all(Array.from({ length: 10 }, () => everythingWorks(database)));
    // Many wait at once, as requests do; each addition that must happen once has a connection of the pool.
    const petQuestions = ['list', 'list of a status', 'find', 'add', 'addition once'].flatMap((name) =>
      Array.from({ length: 40 }, () => asks(name)),
    );
    const others = [...OTHERS.map(asks), () => database.ping(), () => database.missingMigrations()];
    const results = await whileLocked('pets', [...petQuestions, ...others]);
    for (const { answers, failures, slowest } of results.slice(0, petQuestions.length)) {
      expect(answers).toBe(0);
      expect(failures.length).toBeGreaterThan(1);
      expect(failures.every((error) => error instanceof StoreUnavailableError)).toBe(true);
      expect(slowest).toBeLessThan(LATEST);
    }
    for (const { answers, failures, slowest } of results.slice(petQuestions.length)) {
      expect(failures).toEqual([]);
      expect(answers).toBeGreaterThan(30);
      expect(slowest).toBeLessThan(LATEST / 2);
    }
    // Nobody took the server for one that is unavailable, and nothing is left behind.
    await everythingWorks(database);
    expect(database.poolStats().waiting).toBe(0);
  });
});

describe('a lock on another table', () => {
  it.each(['api_keys', 'api_key_usage', 'idempotent_requests', 'add_requests'])(
    'of %s leaves animals alone',
    async (table) => {
      await everythingWorks(database);
      const questions = ['list', 'find', 'add'].map(asks);
      const blocked = [...OTHERS, 'addition once'].flatMap((name) =>
        Array.from({ length: 4 }, () => asks(name)),
      );
      const results = await whileLocked(table, [...questions, ...blocked]);
      for (const { failures, answers } of results.slice(0, questions.length)) {
        expect(failures).toEqual([]);
        expect(answers).toBeGreaterThan(30);
      }
    },
  );
});

describe('a statement that is cancelled', () => {
  it('fails alone', async () => {
    await everythingWorks(database);
    await admin.query('begin; lock table pets in access exclusive mode');
    const failure = database.pets.find(nobody).catch((error: unknown) => error);
    await soon(async () => {
      const { rowCount } = await admin.query(
        `select pg_cancel_backend(pid) from pg_locks where relation = 'pets'::regclass and not granted`,
      );
      expect(rowCount).toBe(1);
    });
    expect(await failure).toMatchObject({ name: 'StoreUnavailableError', cause: { code: '57014' } });
    await database.ping();
    await admin.query('rollback');
    expect(await database.pets.find(nobody)).toBeUndefined();
  });
});

describe('a role that may have few connections', () => {
  it.each([3, 4, 6])('of %i is served with those, and says that it is', async (limit) => {
    await admin.query(`
      create role few${limit} login superuser password 'few' connection limit ${limit};
      alter role few${limit} nosuperuser;
      grant all on all tables in schema public to few${limit}`);
    const url = new URL(server.url);
    url.username = `few${limit}`;
    url.password = 'few';
    const limited = await openDatabase({ url: url.href });
    try {
      // One of each kind is enough for everything that is asked later.
      await limited.pets.find(nobody);
      await limited.pets.add(rex);
      const end = new AbortController();
      const asked = [
        ...QUESTIONS.flatMap(([, ask]) => [() => ask(limited), () => ask(limited)]),
        () => limited.ping(),
        () => limited.missingMigrations(),
        () => limited.responds(),
      ].map((ask) => askAgain(ask, end.signal));
      await sleep(2_000);
      end.abort();
      for (const { answers, failures } of await Promise.all(asked)) {
        expect(failures).toEqual([]);
        expect(answers).toBeGreaterThan(10);
      }
    } finally {
      await limited.close();
    }
    await soon(async () => {
      await admin.query(`drop owned by few${limit}; drop role few${limit}`);
    });
  });
});
