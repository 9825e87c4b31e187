import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OrderStatus } from '@petstore/order-domain';
import { OrderId } from '@petstore/order-domain';
import { PetId } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import type { Client } from 'pg';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { READ_BY_INDEX } from '../src/unit-of-work/read-by-index.js';
import { findQuery, ORDER_READS, PET_STATUS, pageQuery } from '../src/order/order-read-statements.js';
import { LOCK_PETS_OF_DUE, PLACE } from '../src/order/order-write-statements.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { known } from '../src/testing/known.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, customPlans, explain, rowsThrownAway } from './query-plan.js';

const ORDERS = 30_000;
const LIMIT = 21;

let server: TestPostgres;
let session: Client;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

/** The worst case: nearly all orders are of one key and were returned; the few others came first. */
async function fill(): Promise<void> {
  await session.query(`insert into api_keys (id, name, plan, scopes, created_at)
    select key, 'test', 'free', '{orders:read}', now() from unnest(array['key_few', 'key_many']) key`);
  await session.query(
    `insert into pets (name, category_id, status) select 'Pet', 7, 'pending' from generate_series(1, $1::int)`,
    [ORDERS],
  );
  await session.query(
    `insert into orders (pet_id, key_id, status, expires_at)
     select case when n <= 600 then n when n <= 1000 then 700 else n end,
       case when n % 1000 < 5 then 'key_few' else 'key_many' end,
       case when n <= 500 then 'placed' when n <= 600 then 'approved' else 'returned' end,
       case when n <= 600 then now() + interval '1 day' end
     from generate_series(1, $1::int) n`,
    [ORDERS],
  );
}

const positions = [undefined, '29990', '15000', '550', '1'];
const requests = [undefined, 'key_few', 'key_many'].flatMap((key) =>
  [undefined, ...(['placed', 'returned', 'expired'] satisfies OrderStatus[])].flatMap((status) =>
    positions.map((position) => ({ key, status, position })),
  ),
);

describe.each([
  ['an empty table', () => Promise.resolve()],
  ['a long table that nobody has looked at', fill],
  ['a long table', () => session.query('vacuum analyze orders')],
])('in %s', (_what, prepare: () => Promise<unknown>) => {
  beforeAll(async () => {
    session = await openClient({ connectionString: server.url }, 5_000, prepareSession(ORDER_READS));
    await prepare();
  });
  afterAll(() => endClient(session));

  it.each(requests)(
    'a page of $key that is $status, before $position, is read from one index',
    async (request) => {
      const { key, status, position } = request;
      const before = position === undefined ? undefined : known(OrderId.parse(position));
      const plan = await explain(
        session,
        pageQuery({ reach: key === undefined ? 'all' : { keyId: key }, status, before }, LIMIT),
      );
      expect(plan.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
      const byKey = status === undefined ? 'orders_key' : 'orders_key_status';
      const byStatus = status === undefined ? 'orders_pkey' : 'orders_status';
      expect(plan[1]).toMatchObject({
        'Index Name': key === undefined ? byStatus : byKey,
        'Scan Direction': 'Backward',
      });
      expect(rowsThrownAway(plan)).toBe(0);
      // One way down the index, and the rows themselves: the same at any depth.
      expect(buffersOf(plan)).toBeLessThan(LIMIT + 10);
    },
  );

  it.each(
    [undefined, 'key_few'].flatMap((key) =>
      [undefined, 'returned' as const].flatMap((status) =>
        ['3', '700', '50000'].map((pet) => ({ key, status, pet })),
      ),
    ),
  )(
    'a page of $key that is $status, of the animal $pet, looks at its orders alone',
    async ({ key, status, pet }) => {
      const reach = key === undefined ? ('all' as const) : { keyId: key };
      const plan = await explain(
        session,
        pageQuery({ reach, status, petId: known(PetId.parse(pet)) }, LIMIT),
      );
      expect(plan.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
      expect(plan[1]?.['Index Name']).toBe('orders_pet');
      // The animal 700 has 400 orders.
      expect(rowsThrownAway(plan)).toBeLessThanOrEqual(400);
    },
  );

  it.each([
    ['one order', findQuery('30000', 'all'), ['orders_pkey']],
    ['an order of a key', findQuery('30000', { keyId: 'key_many' }), ['orders_pkey', 'orders_key']],
  ] as const)('%s is found by an index that has its id', async (_order, query, indexes) => {
    const [node, ...rest] = await explain(session, query);
    expect(rest).toEqual([]);
    expect(indexes).toContain(node?.['Index Name']);
    expect(buffersOf(node === undefined ? [] : [node])).toBeLessThan(6);
  });

  it('the status of an animal that is ordered is one row of its key', async () => {
    const plan = await explain(session, [PET_STATUS, ['3']]);
    expect(plan.map((node) => node['Index Name'])).toEqual(['pets_pkey']);
    expect(rowsThrownAway(plan)).toBe(0);
  });

  it('an order is placed by indexes, and counting the open ones of its key ends at the limit', async () => {
    await session.query('begin');
    await session.query(`prepare ${PLACE.name} as ${PLACE.text}`);
    const plan = await explain(session, [PLACE, ['3', 'key_many', '100', '72', 'site-4711']]);
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    const counted = plan.filter((node) => node['Index Name'] === 'orders_key_status');
    expect(counted).toHaveLength(1);
    expect(counted[0]?.['Actual Rows']).toBeLessThanOrEqual(100);
    expect(rowsThrownAway(plan)).toBe(0);
    await session.query('rollback');
  });

  it('each statement has been planned once, for any values', async () => {
    expect(await customPlans(session)).toBe(0);
  });
});

describe('the look for orders whose time is up', () => {
  it.each([
    ['none', 0],
    ['a few', 7],
    ['more than a batch', 400],
  ])('is as short as what it finds: %s', async (_what, due) => {
    session = await openClient({ connectionString: server.url }, 5_000);
    await session.query(`prepare ${LOCK_PETS_OF_DUE.name} as ${LOCK_PETS_OF_DUE.text}`);
    await session.query('begin');
    await session.query(`update orders set expires_at = now() - interval '1 minute' where id <= $1`, [due]);
    await session.query(READ_BY_INDEX.text);
    const plan = await explain(session, [LOCK_PETS_OF_DUE, ['100']]);
    expect(plan.flatMap((node) => node['Index Name'] ?? [])).toEqual(['orders_due', 'pets_pkey']);
    expect(rowsThrownAway(plan)).toBe(0);
    expect(plan[0]?.['Actual Rows']).toBe(Math.min(due, 100));
    for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(100);
    await session.query('rollback');
    await endClient(session);
  });
});
