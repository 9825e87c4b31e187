import { beforeAll, expect, it } from '@jest/globals';
import { Order, type OrderId, orderJson, OrderPolicy } from '@petstore/order-domain';
import { FreeText, type PetId } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { rex } from './pet-actions.js';
import { TestDatabase } from './test-database.js';

const POLICY = new OrderPolicy({ reservation: 72, pickup: 336 }, 100);
/** Everything that JSON must escape, and more that some writers escape. */
const HOSTILE = known(FreeText.parse('"\\/ \u0080\u2028\u2029\uFEFF{}[]:,\'$1 é é 🐕‍🦺 null %00 \\u0000 --'));

const db = new TestDatabase();
beforeAll(async () => {
  await db.query(
    `insert into api_keys (id, name, plan, scopes, created_at) values ('key_0', 'test', 'free', '{orders:write}', now())`,
  );
});

/** Keeps a new order, whatever becomes of its animal. */
function insert(petId: PetId, reference?: FreeText): Promise<Order> {
  return db.stores.unitOfWork.run(async ({ orders }) => {
    const { openOrders, now } = await orders.countOpen('key_0', POLICY.maxOpenPerKey);
    const facts = { petStatus: 'available', openOrders } as const;
    return orders.insert(Order.place({ petId, reference }, 'key_0', facts, now, POLICY));
  });
}

it('an order is kept as it is, byte for byte and to the millisecond of the database', async () => {
  const realNow = Date.now;
  Date.now = () => realNow() + 1_000 * 3_600_000;
  const order = await insert('9223372036854775807' as PetId, HOSTILE).finally(() => (Date.now = realNow));
  expect(Math.abs(order.placedAt.getTime() - Date.now())).toBeLessThan(60_000);
  expect(await db.stores.orders.find(order.id, 'all')).toEqual(order);
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
  expect(await db.stores.orders.find(order.id, 'all')).toEqual(declined);
});

const lockDue = (limit: number): Promise<readonly string[]> =>
  db.stores.unitOfWork.run(async ({ orders }) => {
    const due = await orders.lockPetsOfDue(limit);
    for (const { orderId, pet } of due) expect((await orders.lock(orderId)).order.petId).toBe(pet.id);
    return due.map(({ orderId }) => orderId);
  });

it('pets of overdue orders are locked, the longest overdue first, but for those that others have locked', async () => {
  for (let n = 0; n < 6; n++) await insert((await db.stores.pets.create(rex)).id);
  expect(await lockDue(10)).toEqual([]);
  await db.stores.unitOfWork.run(async ({ orders }) => {
    const { order, now } = await orders.lock('1' as OrderId);
    for (const action of ['approve', 'deliver'] as const) order.perform(action, now, POLICY);
    await orders.update(order);
  });
  await db.query(
    `update orders set expires_at = now() - interval '1 hour' + id * interval '1 microsecond' where expires_at is not null`,
  );
  expect(await lockDue(4)).toEqual(['2', '3', '4', '5']);
  await db.query('begin; select from pets where id <= 3 for update');
  expect(await lockDue(3)).toEqual(['4', '5', '6']);
  await db.query('rollback');
  expect(await lockDue(3)).toEqual(['2', '3', '4']);
});
