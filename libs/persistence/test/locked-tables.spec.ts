import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { schemaState } from '../src/schema/migrate.js';
import { outcomeOf, repeatDuring } from './outcomes.js';
import { everythingWorks, NO_PET, QUERIES, type Query } from './queries.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();

/** While tables are locked, the queries that need them are refused in time, twice for each caller, and others go on. */
async function whileLocked(
  isWarm: boolean,
  tables: string,
  [blocked, callers]: readonly [readonly Query[], number],
  others: readonly Query[],
): Promise<void> {
  // Long enough for what no lock holds up, on a busy machine, too.
  const stores = await db.open({ responseTimeoutMs: 5_000 });
  // One after the other: a busy machine would refuse some of so many at once.
  for (let n = 0; isWarm && n < 10; n++) await everythingWorks(stores);
  await db.query(`begin; lock table ${tables} in access exclusive mode`);
  const refusals = blocked.flatMap((query) =>
    Array.from({ length: callers }, async () => {
      for (let n = 0; n < 2; n++) expect(await outcomeOf(query(stores))).toMatch(/StoreUnavailableError$/);
    }),
  );
  let rounds = 0;
  await repeatDuring(Promise.all(refusals), async () => {
    for (const query of others) await query(stores);
    rounds++;
    await sleep(25);
  });
  expect(rounds).toBeGreaterThan(5);
  await db.query('rollback');
  // No request took the server for unavailable, and nothing is left behind.
  await everythingWorks(stores);
  expect(stores.database.poolStats().waiting).toBe(0);
}

const { list, find, create } = QUERIES;

it.each([
  ['are there', true],
  ['are still to be made', false],
])(
  'a locked table of pets fails what needs it, in time, and nothing else, with connections that %s',
  (_when, isWarm) =>
    whileLocked(
      isWarm,
      'pets',
      // Many wait at once, as requests do; each creation that must happen once has a connection of the pool.
      [[list, QUERIES['list of a status'], find, create, QUERIES['create once']], 20],
      [
        QUERIES['key look-up'],
        QUERIES['keys of an operator'],
        QUERIES['use of keys'],
        ({ database }) => schemaState(database.dataSource),
      ],
    ),
);

it('a locked table of anything else leaves pets alone', () =>
  whileLocked(
    true,
    'api_keys, api_key_usage, idempotent_requests',
    [[QUERIES['keys of an operator'], QUERIES['history of a key'], QUERIES['create once']], 3],
    [list, find, create],
  ));

it('a statement that is cancelled fails alone', async () => {
  await db.query('begin; lock table pets in access exclusive mode');
  const failure = db.stores.pets.find(NO_PET).catch((error: unknown) => error);
  await db.untilBlocked();
  await db.query('select pg_cancel_backend(pid) from pg_locks where not granted');
  expect(await failure).toMatchObject({ name: 'StoreUnavailableError', cause: { code: '57014' } });
  await db.query('rollback');
  expect(await db.stores.pets.find(NO_PET)).toBeUndefined();
});
