import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPEN_STATUSES, OrderId, type OrderStatus } from '@petstore/order-domain';
import { PetId } from '@petstore/pet-domain';
import { Client } from 'pg';
import { LOCK_PETS_OF_DUE } from '../src/orders/order.repository.js';
import {
  COUNT_OPEN,
  FIND_ORDER,
  FIND_PET_OF_ORDER,
  orderPageQuery,
  PREVIEW_PLACEMENT,
} from '../src/orders/order.queries.js';
import { known } from '../src/testing/known.js';
import { buffersOf, explain, rowsThrownAway, describePlans } from './query-plan.js';

const ORDERS = 30_000;
const LIMIT = 21;

/** The worst case: nearly all orders are of one key and were returned; the few others came first. */
async function fill(session: Client): Promise<void> {
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

const visibilityOf = (key: string | undefined): 'all' | { keyId: string } =>
  key === undefined ? 'all' : { keyId: key };
const positions = [undefined, '29990', '15000', '550', '1'];
const requests = [undefined, 'key_few', 'key_many'].flatMap((key) =>
  [undefined, ...(['placed', 'returned', 'expired'] satisfies OrderStatus[])].flatMap((status) =>
    positions.map((position) => ({ key, status, position })),
  ),
);

const server = describePlans(fill, 'orders', (session) => {
  it.each(requests)(
    'a page of $key, $status before $position is read from one index',
    async ({ key, status, position }) => {
      const before = position === undefined ? undefined : known(OrderId.parse(position));
      const plan = await explain(
        session(),
        orderPageQuery({ visibility: visibilityOf(key), status, before }, LIMIT),
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
    'a page of $key, $status, of the pet $pet looks at the orders of the pet alone',
    async ({ key, status, pet }) => {
      const request = { visibility: visibilityOf(key), status, petId: known(PetId.parse(pet)) };
      const plan = await explain(session(), orderPageQuery(request, LIMIT));
      expect(plan.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
      expect(plan[1]?.['Index Name']).toBe('orders_pet');
      // The pet 700 has 400 orders.
      expect(rowsThrownAway(plan)).toBeLessThanOrEqual(400);
    },
  );

  it.each([
    [FIND_ORDER, null],
    [FIND_ORDER, 'key_many'],
    [FIND_PET_OF_ORDER, 'key_many'],
  ])('$name, of %p, is found by its primary key', async (statement, key) => {
    const plan = await explain(session(), [statement, ['30000', key]]);
    expect(plan.map((node) => node['Index Name'])).toEqual(['orders_pkey']);
    expect(buffersOf(plan)).toBeLessThan(6);
  });

  it('what decides about placing an order is read by index, and counting ends at the limit', async () => {
    const plan = await explain(session(), [
      PREVIEW_PLACEMENT,
      ['key_many', OPEN_STATUSES, 100, '3', 'token'],
    ]);
    expect(plan.flatMap((node) => node['Index Name'] ?? []).sort()).toEqual([
      'idempotent_requests_pkey',
      'orders_key_status',
      'pets_pkey',
    ]);
    for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(100);
    expect(rowsThrownAway(plan)).toBe(0);
  });
});

describe('within a transaction, in a long table,', () => {
  let session: Client;
  beforeAll(async () => {
    // As a connection of the pool: nothing is set.
    session = new Client(server().url);
    await session.connect();
  });
  afterAll(() => session.end());

  it('counting the open orders of a key reads no others', async () => {
    const plan = await explain(session, [
      { name: 'count_open', text: COUNT_OPEN },
      ['key_many', OPEN_STATUSES, 100],
    ]);
    expect(plan.flatMap((node) => node['Index Name'] ?? [])).toEqual(['orders_key_status']);
    for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(100);
    expect(rowsThrownAway(plan)).toBe(0);
  });

  it.each([
    ['none', 0],
    ['a few', 7],
    ['more than a batch', 400],
  ])('looking for orders whose time is up is as short as what it finds: %s', async (_what, due) => {
    await session.query('begin');
    await session.query(`update orders set expires_at = now() - interval '1 minute' where id <= $1`, [due]);
    const plan = await explain(session, [{ name: `due_${due}`, text: LOCK_PETS_OF_DUE }, [100]]);
    expect(plan.flatMap((node) => node['Index Name'] ?? [])).toEqual(['orders_due', 'pets_pkey']);
    expect(rowsThrownAway(plan)).toBe(0);
    expect(plan[0]?.['Actual Rows']).toBe(Math.min(due, 100));
    for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(100);
    await session.query('rollback');
  });
});
