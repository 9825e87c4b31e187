import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type NewOrder,
  Order,
  type OrderId,
  orderJson,
  OrderPolicy,
  type OrderPage,
  type OrderVisibility,
} from '@petstore/order-domain';
import { FreeText, type Pet, type PetId } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';
import { rex } from './questions.js';

const POLICY = new OrderPolicy({ reservation: 72, pickup: 336 }, 100);
const KEY = 'key_0';
/** Everything that JSON must escape, and more that some writers escape. */
const HOSTILE = known(FreeText.parse('"\\/ \u0080\u2028\u2029\uFEFF{}[]:,\'$1 é é 🐕‍🦺 null %00 \\u0000 --'));

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
  await feed.admin.query(
    `insert into api_keys (id, name, plan, scopes, created_at)
     select 'key_' || n, 'test', 'free', '{orders:write}', now() from generate_series(0, 3) n`,
  );
});
afterAll(() => feed.stop());
beforeEach(async () => {
  await feed.admin.query('truncate orders restart identity');
  await feed.reset();
});

const pet = (): Promise<Pet> => feed.stores.pets.create(rex);

/** Keeps a new order, whatever becomes of its pet. */
function insert(wanted: NewOrder, keyId = KEY): Promise<Order> {
  return feed.stores.unitOfWork.run(async ({ orders }) => {
    const { openOrders, now } = await orders.countOpen(keyId, POLICY.maxOpenPerKey);
    return orders.insert(Order.place(wanted, keyId, { petStatus: 'available', openOrders }, now, POLICY));
  });
}

function perform(id: OrderId, ...actions: readonly ('approve' | 'deliver' | 'cancel')[]): Promise<Order> {
  return feed.stores.unitOfWork.run(async ({ orders }) => {
    const { order, now } = await orders.lock(id);
    for (const action of actions) order.perform(action, now, POLICY);
    await orders.update(order);
    return order;
  });
}

/** Makes all open orders due, the one with the smallest id first. */
const makeDue = (): Promise<unknown> =>
  feed.admin.query(
    `update orders set expires_at = now() - interval '1 hour' + id * interval '1 microsecond' where expires_at is not null`,
  );

describe('an order', () => {
  it('is kept as it is, byte for byte and to the millisecond', async () => {
    const order = await insert({ petId: '9223372036854775807' as PetId, reference: HOSTILE });
    expect(await feed.stores.orders.find(order.id, 'all')).toBe(orderJson(order));
    const declined = await feed.stores.unitOfWork.run(async ({ orders }) => {
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
    expect(await feed.stores.orders.find(order.id, 'all')).toBe(orderJson(declined));
  });

  it('has the time of the database, whatever the clock of this process says', async () => {
    const realNow = Date.now;
    Date.now = () => realNow() + 1_000 * 3_600_000;
    try {
      const { placedAt } = await insert({ petId: (await pet()).id });
      expect(Math.abs(placedAt.getTime() - realNow())).toBeLessThan(60_000);
    } finally {
      Date.now = realNow;
    }
  });

  it('is found, with its pet, where it is visible', async () => {
    const { id, petId } = await insert({ petId: (await pet()).id });
    for (const [visibility, isVisible] of [
      ['all', true],
      [{ keyId: KEY }, true],
      [{ keyId: 'key_1' }, false],
    ] as [OrderVisibility, boolean][]) {
      expect(typeof (await feed.stores.orders.find(id, visibility))).toBe(isVisible ? 'string' : 'undefined');
      expect(await feed.stores.orders.findPetOf(id, visibility)).toBe(isVisible ? petId : undefined);
    }
    expect(await feed.stores.orders.find('9223372036854775807' as OrderId, 'all')).toBeUndefined();
  });
});

describe('a list of orders', () => {
  it('has what is visible, filtered by status and pet, page by page', async () => {
    const ids: OrderId[] = [];
    for (let n = 0; n < 12; n++)
      ids.push((await insert({ petId: String(100 + n) as PetId }, `key_${n % 3}`)).id);
    for (const id of ids.slice(6)) await perform(id, 'cancel');
    await insert({ petId: '111' as PetId }, 'key_1');
    const { rows } = await feed.admin.query<Record<'id' | 'key_id' | 'status' | 'pet_id', string>>(
      'select id, key_id, status, pet_id from orders order by id desc',
    );
    for (const key of [undefined, 'key_0', 'key_1', 'key_3']) {
      for (const status of [undefined, 'placed', 'cancelled', 'expired'] as const) {
        for (const petId of [undefined, '111', '100'] as (PetId | undefined)[]) {
          const wanted = rows
            .filter((row) => key === undefined || row.key_id === key)
            .filter((row) => status === undefined || row.status === status)
            .filter((row) => petId === undefined || row.pet_id === petId)
            .map(({ id }) => Number(id));
          const seen: number[] = [];
          for (let before: OrderPage['last'], more = true; more;) {
            const visibility = key === undefined ? ('all' as const) : { keyId: key };
            const page = await feed.stores.orders.list({ limit: 2, visibility, status, petId, before });
            seen.push(...(JSON.parse(page.json) as { id: number }[]).map(({ id }) => id));
            ({ more, last: before } = page);
          }
          expect({ key, status, petId, seen }).toEqual({ key, status, petId, seen: wanted });
        }
      }
    }
  });
});

describe('what decides about placing an order', () => {
  it.each([
    [undefined, 10],
    ['sold', 2],
  ] as const)('is the status of the pet and how many orders of the key are open', async (status, max) => {
    const { id } = await feed.stores.pets.create({ ...rex, status: status ?? 'available' });
    const petId = status === undefined ? ('9223372036854775807' as PetId) : id;
    const orders: Order[] = [];
    for (let n = 0; n < 5; n++) orders.push(await insert({ petId: String(100 + n) as PetId }));
    await insert({ petId: '200' as PetId }, 'key_1');
    await perform(known(orders[0]).id, 'approve', 'deliver');
    await perform(known(orders[1]).id, 'approve');
    await perform(known(orders[2]).id, 'cancel');
    expect(await feed.stores.orders.previewPlacement({ petId }, KEY, undefined, max)).toEqual({
      petStatus: status,
      openOrders: Math.min(3, max),
      isRemembered: false,
    });
  });

  it.each(['short', 'x'.repeat(255)])(
    'is also whether a request of the key is remembered: %.5s',
    async (token) => {
      const request = { caller: KEY, token, operation: 'placeOrder', input: {} };
      await feed.stores.idempotency.run(request, () => Promise.resolve({ status: 201 }));
      const isRemembered = async (key: string, text?: string): Promise<boolean> =>
        (await feed.stores.orders.previewPlacement({ petId: '1' as PetId }, key, text, 1)).isRemembered;
      expect(await isRemembered(KEY, token)).toBe(true);
      expect(await isRemembered(KEY, `${token.slice(0, 4)}.`)).toBe(false);
      expect(await isRemembered('key_1', token)).toBe(false);
      expect(await isRemembered(KEY)).toBe(false);
    },
  );
});

describe('the pets of orders whose time is up', () => {
  const lockDue = (limit: number): Promise<readonly string[]> =>
    feed.stores.unitOfWork.run(async ({ orders }) => {
      const due = await orders.lockPetsOfDue(limit);
      for (const { orderId, pet: locked } of due)
        expect((await orders.lock(orderId)).order.petId).toBe(locked.id);
      return due.map(({ orderId }) => orderId);
    });

  beforeEach(async () => {
    for (let n = 0; n < 6; n++) await insert({ petId: (await pet()).id });
  });

  it('are locked, the longest overdue first, up to the limit', async () => {
    expect(await lockDue(10)).toEqual([]);
    await makeDue();
    expect(await lockDue(4)).toEqual(['1', '2', '3', '4']);
  });

  it('are skipped while another transaction has locked them, and do not count', async () => {
    await makeDue();
    await feed.admin.query('begin');
    await feed.admin.query('select from pets where id <= 3 for update');
    expect(await lockDue(3)).toEqual(['4', '5', '6']);
    await feed.admin.query('rollback');
    expect(await lockDue(3)).toEqual(['1', '2', '3']);
  });

  it('are not those of orders that were delivered', async () => {
    await perform('1' as OrderId, 'approve', 'deliver');
    await makeDue();
    expect(await lockDue(10)).toEqual(['2', '3', '4', '5', '6']);
  });
});
