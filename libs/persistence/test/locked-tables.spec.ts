import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import { known } from '../src/testing/known.js';
import { missingMigrations } from '../src/schema/migrate.js';
import { everythingWorks, NO_PET, QUERIES, type Query } from './queries.js';
import type { Stores } from './stores.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();

/** Long enough for what no lock holds up, on a busy machine, too. */
const PATIENT = { responseTimeoutMs: 5_000 };
/** Results of a query that show that no lock holds it up. */
const ENOUGH = 5;

interface Results {
  successes: number;
  readonly failures: string[];
}

/** Sends one query after the other, with a pause, until `isOver`. */
async function repeat(query: () => Promise<unknown>, results: Results, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await query().then(
      () => results.successes++,
      (error: unknown) => results.failures.push((error as Error).name),
    );
    await sleep(25);
  }
}

/**
 * Sends queries again and again while tables are locked, until each of the blocked ones has failed twice and each of the
 * others has succeeded often enough.
 *
 * @param blocked those that need the tables, and how many callers send each at once
 */
async function whileLocked(
  stores: Stores,
  tables: string,
  blocked: readonly (readonly [Query, number])[],
  others: readonly Query[],
): Promise<void> {
  const held = blocked.flatMap(([query, callers]) => Array.from({ length: callers }, () => query));
  const results = [...held, ...others].map((): Results => ({ successes: 0, failures: [] }));
  const [ofHeld, ofOthers] = [results.slice(0, held.length), results.slice(held.length)];
  const isOver = (): boolean =>
    ofHeld.every(({ failures }) => failures.length > 1) &&
    ofOthers.every(({ successes }) => successes > ENOUGH);
  await db.query(`begin; lock table ${tables} in access exclusive mode`);
  let isLate = false;
  const loops = results.map((result, n) => {
    const query = known([...held, ...others][n]);
    return repeat(
      () => query(stores),
      result,
      () => isLate || isOver(),
    );
  });
  await waitFor(isOver).finally(() => (isLate = true));
  await Promise.all(loops);
  for (const { successes, failures } of ofHeld) {
    expect(successes).toBe(0);
    for (const name of failures) expect(name).toMatch(/StoreUnavailableError$/);
  }
  for (const { failures } of ofOthers) expect(failures).toEqual([]);
  await db.query('rollback');
  // No request took the server for unavailable, and nothing is left behind.
  await everythingWorks(stores);
  expect(stores.database.poolStats().waiting).toBe(0);
}

const KEY_QUERIES = [QUERIES['key look-up'], QUERIES['keys of an operator'], QUERIES['use of keys']];

describe('a locked table', () => {
  it.each([
    ['with connections that are there', true],
    ['with connections that are still to be made', false],
  ])('of pets fails what needs it, in time, and nothing else, %s', async (_when, isWarm) => {
    const stores = await db.open(PATIENT);
    // One after the other: a busy machine would refuse some of so many at once.
    for (let n = 0; isWarm && n < 10; n++) await everythingWorks(stores);
    const { list, find, create, 'list of a status': ofStatus, 'create once': createOnce } = QUERIES;
    await whileLocked(
      stores,
      'pets',
      // Many wait at once, as requests do; each creation that must happen once has a connection of the pool.
      [list, ofStatus, find, create, createOnce].map((query) => [query, 20]),
      [
        ...KEY_QUERIES,
        ({ database }) => database.manager.query('select 1'),
        ({ database }) => missingMigrations(database.dataSource),
      ],
    );
  });

  it('of anything else leaves pets alone', async () => {
    const stores = await db.open(PATIENT);
    await everythingWorks(stores);
    const { list, find, create } = QUERIES;
    const blocked = [QUERIES['keys of an operator'], QUERIES['history of a key'], QUERIES['create once']];
    await whileLocked(
      stores,
      'api_keys, api_key_usage, idempotent_requests',
      blocked.map((query) => [query, 3]),
      [list, find, create],
    );
  });
});

it('a statement that is cancelled fails alone', async () => {
  await db.query('begin; lock table pets in access exclusive mode');
  const failure = db.stores.pets.find(NO_PET).catch((error: unknown) => error);
  await db.untilBlocked();
  await db.query('select pg_cancel_backend(pid) from pg_locks where not granted');
  expect(await failure).toMatchObject({ name: 'StoreUnavailableError', cause: { code: '57014' } });
  await db.stores.database.manager.query('select 1');
  await db.query('rollback');
  expect(await db.stores.pets.find(NO_PET)).toBeUndefined();
});
