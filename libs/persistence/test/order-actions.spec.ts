import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderStatus,
  OrderStatus as Status,
} from '@petstore/order-domain';
import { petJson } from '@petstore/pet-domain';
import { Shop } from './shop.js';

/** How an order comes to each state. */
const WAYS: Readonly<Record<Exclude<OrderStatus, 'expired'>, readonly OrderAction[]>> = {
  placed: [],
  approved: ['approve'],
  delivered: ['approve', 'deliver'],
  returned: ['approve', 'deliver', 'return'],
  cancelled: ['cancel'],
  declined: ['decline'],
};
const ACTIONS = ['approve', 'deliver', 'cancel', 'decline', 'return'] as const;
/** Everything that JSON must escape, and what some believe it must. */
const HOSTILE = '"\\/ \u0080\u2028\u2029\uFEFF{}[]:,\'$1 é é 🐕‍🦺 null %00 \\u0000 --';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('an order that is %s', (from) => {
  it.each(ACTIONS)('to %s it: does what the table says, or nothing', async (action) => {
    const { id, pet } = await shop.orderAt(...WAYS[from]);
    const [before, status, seen] = [
      await shop.row(id),
      await shop.statusOf(pet),
      (await shop.events()).length,
    ];
    const transition = ORDER_TRANSITIONS.find((line) => line.action === action && line.from === from);
    const isRepeated = ORDER_TRANSITIONS.some((line) => line.action === action && line.to === from);
    if (transition === undefined) {
      if (isRepeated) expect(await shop.act(id, action)).toMatchObject({ status: from });
      else await expect(shop.act(id, action)).rejects.toMatchObject({ name: 'InvalidOrderTransitionError' });
      expect([await shop.row(id), await shop.statusOf(pet)]).toEqual([before, status]);
      expect(await shop.events()).toHaveLength(seen);
      return;
    }
    const order = await shop.act(id, action);
    const { to, pet: moved = { from: status, to: status } } = transition;
    expect(order).toMatchObject({ id: Number(id), status: to });
    expect('expiresAt' in (order ?? {})).toBe(to === 'approved');
    expect([status, await shop.statusOf(pet)]).toEqual([moved.from, moved.to]);
    const [, ...told] = (await shop.events()).slice(seen - 1);
    const updated = {
      type: 'pet.updated',
      data: {
        pet: { id: Number(pet.id), name: pet.name, categoryId: 7, status: moved.to },
        previous: { status: moved.from },
      },
    };
    expect(told).toEqual([
      expect.objectContaining({ type: `order.${to}`, data: { order } }),
      ...(moved.from === moved.to ? [] : [expect.objectContaining(updated)]),
    ]);
    for (const { timestamp } of told) expect(timestamp).toBe(order?.['updatedAt']);
    await shop.expectUnbroken();
  });
});

it('every state is looked at above, but the one that only the clock leads to', () => {
  expect([...Object.keys(WAYS), 'expired'].sort()).toEqual([...Status.ALL].sort());
});

describe('what the database writes', () => {
  it('is byte for byte what the service would write, whatever the texts are', async () => {
    const pet = await shop.pet('available', HOSTILE);
    const placed = await shop.place(pet.id, 'key_0', HOSTILE);
    const json = await shop.orders.act({
      id: placed.id,
      action: 'decline',
      reach: 'all',
      reason: HOSTILE as never,
    });
    const { placedAt, updatedAt } = JSON.parse(json ?? '') as Record<string, string>;
    const text = JSON.stringify(HOSTILE);
    expect(json).toBe(
      `{"id":${placed.id},"petId":${pet.id},"status":"declined","reference":${text},"reason":${text},` +
        `"placedBy":"key_0","placedAt":"${placedAt}","updatedAt":"${updatedAt}"}`,
    );
    const released = `{"pet":${petJson({ ...pet, status: 'available' })},"previous":{"status":"pending"}}`;
    const [, , , declined = '', updated = ''] = await shop.eventTexts();
    expect(declined).toBe(
      `{"id":4,"type":"order.declined","timestamp":"${updatedAt}","data":{"order":${json}}}`,
    );
    expect(updated).toBe(`{"id":5,"type":"pet.updated","timestamp":"${updatedAt}","data":${released}}`);
  });

  it('is exact for int64 values', async () => {
    await shop.feed.admin.query(`insert into pets (id, name, category_id, status) overriding system value
      values (9223372036854775807, 'Rex', 9007199254740993, 'available')`);
    const { json } = await shop.place('9223372036854775807');
    expect(json).toContain('"petId":9223372036854775807,');
    await shop.feed.drain();
    expect((await shop.eventTexts()).at(-1)).toContain(
      '"id":9223372036854775807,"name":"Rex","categoryId":9007199254740993,',
    );
    expect(json).toContain('"status":"placed","placedBy"');
  });
});

describe('an action', () => {
  it('keeps a reason, which a repetition does not change', async () => {
    const { id } = await shop.orderAt();
    const order = await shop.act(id, 'cancel', 'all', 'moved away');
    expect(order).toMatchObject({ reason: 'moved away' });
    expect(await shop.act(id, 'cancel', 'all', 'another')).toEqual(order);
  });

  it('reaches orders of another key only where that is said', async () => {
    const { id } = await shop.orderAt();
    expect(await shop.act(id, 'cancel', { keyId: 'key_1' })).toBeUndefined();
    expect(await shop.row(id)).toMatchObject({ status: 'placed' });
    expect(await shop.act(id, 'cancel', { keyId: 'key_0' })).toMatchObject({ status: 'cancelled' });
    expect(await shop.act('9223372036854775807' as never, 'cancel')).toBeUndefined();
  });

  it('begins the time for collecting the animal with the approval', async () => {
    const { id } = await shop.orderAt();
    const { updatedAt, expiresAt } = (await shop.act(id, 'approve')) as Record<string, string>;
    expect(Date.parse(expiresAt ?? '') - Date.parse(updatedAt ?? '')).toBe(336 * 3_600_000);
  });

  it('of taking back leaves a removed animal removed', async () => {
    const { id, pet } = await shop.orderAt('approve', 'deliver');
    expect(await shop.feed.database.pets.remove(pet.id)).toBe(true);
    expect(await shop.act(id, 'return')).toMatchObject({ status: 'returned' });
    expect(await shop.statusOf(pet)).toBeUndefined();
    expect((await shop.events()).slice(-2).map(({ type }) => type)).toEqual([
      'pet.deleted',
      'order.returned',
    ]);
  });

  it('lets an animal be reserved again once its order has ended', async () => {
    const { pet } = await shop.orderAt('approve', 'deliver', 'return');
    await shop.place(pet.id, 'key_1');
    expect(await shop.statusOf(pet)).toBe('pending');
    await shop.expectUnbroken();
  });
});
