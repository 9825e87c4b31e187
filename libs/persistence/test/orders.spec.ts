import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type NewOrder, Order, type OrderId, orderJson, OrderPolicy } from '@petstore/order-domain';
import { FreeText } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { idOf, rex } from './pet-actions.js';
import { TestDatabase } from './test-database.js';

const POLICY = new OrderPolicy({ reservation: 72, pickup: 336 }, 100);
const KEY = 'key_0';
/** Everything that JSON must escape, and more that some writers escape. */
const HOSTILE = known(FreeText.parse('"\\/ \u0080\u2028\u2029\uFEFF{}[]:,\'$1 é é 🐕‍🦺 null %00 \\u0000 --'));
const NO_PET = idOf('9223372036854775807');

const db = new TestDatabase();
beforeAll(async () => {
  await db.query(
    `insert into api_keys (id, name, plan, scopes, created_at)
     select 'key_' || n, 'test', 'free', '{orders:write}', now() from generate_series(0, 1) n`,
  );
});

/** Keeps a new order, whatever becomes of its pet. */
function insert(wanted: NewOrder, keyId = KEY): Promise<Order> {
  return db.stores.unitOfWork.run(async ({ orders }) => {
    const { openOrders, now } = await orders.countOpen(keyId, POLICY.maxOpenPerKey);
    return orders.insert(Order.place(wanted, keyId, { petStatus: 'available', openOrders }, now, POLICY));
  });
}

function perform(id: string, ...actions: readonly ('approve' | 'deliver' | 'cancel')[]): Promise<void> {
  return db.stores.unitOfWork.run(async ({ orders }) => {
    const { order, now } = await orders.lock(id as OrderId);
    for (const action of actions) order.perform(action, now, POLICY);
    await orders.update(order);
  });
}

describe('an order', () => {
  it('is kept as it is, byte for byte and to the millisecond', async () => {
    const order = await insert({ petId: NO_PET, reference: HOSTILE });
    expect(await db.stores.orders.find(order.id, 'all')).toBe(orderJson(order));
    const declined = await db.stores.unitOfWork.run(async ({ orders }) => {
      const { order: locked, now } = await orders.lock(order.id);
      expect(orderJson(locked)).toBe(orderJson(order));
      locked.perform('decline', now, POLICY, HOSTILE);
      await orders.update(locked);
      return locked;
    });
    const text = JSON.stringify(HOSTILE);
    expect(orderJson(declined)).toContain(
      `"status":"declined","reference":${text},"reason":${text},"placedBy":"key_0"`,
    );
    expect(await db.stores.orders.find(order.id, 'all')).toBe(orderJson(declined));
  });

  it('has the time of the database, whatever the clock of this process says', async () => {
    const realNow = Date.now;
    Date.now = () => realNow() + 1_000 * 3_600_000;
    try {
      const { placedAt } = await insert({ petId: NO_PET });
      expect(Math.abs(placedAt.getTime() - realNow())).toBeLessThan(60_000);
    } finally {
      Date.now = realNow;
    }
  });
});

describe('the pets of orders whose time is up', () => {
  const lockDue = (limit: number): Promise<readonly string[]> =>
    db.stores.unitOfWork.run(async ({ orders }) => {
      const due = await orders.lockPetsOfDue(limit);
      for (const { orderId, pet } of due) expect((await orders.lock(orderId)).order.petId).toBe(pet.id);
      return due.map(({ orderId }) => orderId);
    });
  /** Makes all open orders due, the one with the smallest id first. */
  const makeDue = (): Promise<unknown> =>
    db.query(
      `update orders set expires_at = now() - interval '1 hour' + id * interval '1 microsecond'
       where expires_at is not null`,
    );

  beforeEach(async () => {
    for (let n = 0; n < 6; n++) await insert({ petId: (await db.stores.pets.create(rex)).id });
  });

  it('are locked, the longest overdue first, up to the limit', async () => {
    expect(await lockDue(10)).toEqual([]);
    await perform('1', 'approve', 'deliver');
    await makeDue();
    expect(await lockDue(4)).toEqual(['2', '3', '4', '5']);
  });

  it('are skipped while another transaction has locked them, and do not count', async () => {
    await makeDue();
    await db.query('begin; select from pets where id <= 3 for update');
    expect(await lockDue(3)).toEqual(['4', '5', '6']);
    await db.query('rollback');
    expect(await lockDue(3)).toEqual(['1', '2', '3']);
  });
});
