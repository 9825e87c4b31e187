import { expect, it } from '@jest/globals';
import { outcomeOf, repeatDuring } from './outcomes.js';
import { everythingWorks, NO_PET, QUERIES } from './queries.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();

it('a locked table of anything else leaves pets alone, and fails what needs it in time, twice for each caller', async () => {
  // Long enough for what no lock holds up, on a busy machine, too.
  const stores = await db.open({ responseTimeoutMs: 5_000 });
  await everythingWorks(stores);
  await db.query('begin; lock table api_keys, api_key_usage, idempotent_requests in access exclusive mode');
  const refused = [QUERIES['keys of an operator'], QUERIES['history of a key'], QUERIES['create once']];
  const refusals = [...refused, ...refused, ...refused].map(async (query) => {
    for (let n = 0; n < 2; n++) expect(await outcomeOf(query(stores))).toMatch(/StoreUnavailableError$/);
  });
  let rounds = 0;
  await repeatDuring(Promise.all(refusals), async () => {
    for (const query of [QUERIES.list, QUERIES.find, QUERIES.create]) await query(stores);
    rounds++;
  });
  expect(rounds).toBeGreaterThan(5);
  await db.query('rollback');
  // No request took the server for unavailable, and nothing is left behind.
  await everythingWorks(stores);
  expect(stores.database.poolStats().waiting).toBe(0);
});

it('a statement that is cancelled fails alone', async () => {
  await db.query('begin; lock table pets in access exclusive mode');
  const failure = db.stores.pets.find(NO_PET).catch((error: unknown) => error);
  await db.untilBlocked();
  await db.query('select pg_cancel_backend(pid) from pg_locks where not granted');
  expect(await failure).toMatchObject({ name: 'StoreUnavailableError', cause: { code: '57014' } });
  await db.query('rollback');
  expect(await db.stores.pets.find(NO_PET)).toBeUndefined();
});
