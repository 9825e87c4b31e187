import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderPage } from '@petstore/order-domain';
import { outcomeOf, Shop, tally } from './shop.js';
import { soon } from './soon.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const textsOf = ({ json }: OrderPage): string => Buffer.from(json).toString();

describe('placing an order', () => {
  it('reserves the animal, and gives the order as every reader gets it', async () => {
    const pet = await shop.pet();
    const { id, json } = await shop.place(pet.id, 'key_1', 'site "4711" \\ 🐕');
    expect(JSON.parse(json)).toEqual({
      id: Number(id),
      petId: Number(pet.id),
      status: 'placed',
      reference: 'site "4711" \\ 🐕',
      placedBy: 'key_1',
      placedAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
      expiresAt: expect.stringMatching(INSTANT),
    });
    expect(await shop.statusOf(pet)).toBe('pending');
    const [found, page] = await Promise.all([
      shop.orders.find(id, 'all'),
      shop.orders.list({ limit: 20, reach: { keyId: 'key_1' } }),
    ]);
    expect(Buffer.from(found ?? []).toString()).toBe(json);
    expect(textsOf(page)).toBe(`[${json}]`);
    await shop.expectUnbroken();
  });

  it('holds the animal for as long as the operator says', async () => {
    const pet = await shop.pet();
    const { json } = await shop.under({ holdHours: 0.25 }).place({ petId: pet.id }, 'key_0');
    const { placedAt, expiresAt } = JSON.parse(json) as Record<'placedAt' | 'expiresAt', string>;
    expect(Date.parse(expiresAt) - Date.parse(placedAt)).toBe(15 * 60_000);
  });

  it.each([
    ['pending', 'The animal is pending.'],
    ['sold', 'The animal is sold.'],
  ] as const)('is refused for an animal that is %s', async (status, message) => {
    const pet = await shop.pet(status);
    await expect(shop.place(pet.id)).rejects.toMatchObject({ name: 'PetNotAvailableError', message });
    expect(await shop.feed.count('orders')).toBe(0);
  });

  it('is refused for an animal that does not exist', async () => {
    await expect(shop.place('9223372036854775807')).rejects.toMatchObject({
      name: 'PetNotAvailableError',
      message: 'No animal has this id.',
    });
  });

  it('is for one of 500 who ask at once', async () => {
    const pet = await shop.pet();
    const asked = Array.from({ length: 500 }, (_, n) => outcomeOf(shop.place(pet.id, `key_${n % 4}`)));
    expect(tally(await Promise.all(asked))).toEqual({ ok: 1, PetNotAvailableError: 499 });
    expect(await shop.feed.count('orders')).toBe(1);
    expect((await shop.events()).map(({ type }) => type)).toEqual([
      'pet.created',
      'order.placed',
      'pet.updated',
    ]);
    await shop.expectUnbroken();
  });

  it('waits for whoever holds the animal, and is refused with what has become of it', async () => {
    const pet = await shop.pet();
    const { admin } = shop.feed;
    await admin.query('begin');
    await admin.query(`update pets set status = 'sold' where id = $1`, [pet.id]);
    const placed = shop.place(pet.id).catch((error: unknown) => error);
    await soon(async () => {
      expect(await shop.feed.count("pg_stat_activity where wait_event_type = 'Lock'")).toBe(1);
    });
    await admin.query('commit');
    expect(await placed).toMatchObject({ message: 'The animal is sold.' });
  });

  it('asks again for an animal that was released while it waited', async () => {
    const pet = await shop.pet();
    const { admin } = shop.feed;
    await admin.query('begin');
    // Whoever waits finds that it is not available any more; then it is again.
    await admin.query(`update pets set status = 'pending' where id = $1`, [pet.id]);
    const placed = shop.place(pet.id);
    await soon(async () => {
      expect(await shop.feed.count("pg_stat_activity where wait_event_type = 'Lock'")).toBe(1);
    });
    await admin.query(`update pets set status = 'available' where id = $1`, [pet.id]);
    await admin.query('commit');
    expect((await placed).json).toContain('"status":"placed"');
    await shop.expectUnbroken();
  });
});

describe('the most open orders of a key', () => {
  it('is exact, however many are placed at once', async () => {
    const limited = shop.under({ mostOpen: 7 });
    const pets = await Promise.all(Array.from({ length: 40 }, () => shop.pet()));
    const outcomes = await Promise.all(
      pets.flatMap(({ id: petId }, n) => [outcomeOf(limited.place({ petId }, `key_${n % 2}`))]),
    );
    expect(tally(outcomes)).toEqual({ ok: 14, OrderLimitReachedError: 26 });
    const { rows } = await shop.feed.admin.query(
      'select key_id, count(*)::int as orders from orders group by 1 order by 1',
    );
    expect(rows).toEqual([
      { key_id: 'key_0', orders: 7 },
      { key_id: 'key_1', orders: 7 },
    ]);
  });

  it('comes before what is said of the animal', async () => {
    const limited = shop.under({ mostOpen: 1 });
    const pet = await shop.pet();
    await limited.place({ petId: pet.id }, 'key_0');
    const refused = { name: 'OrderLimitReachedError', message: expect.stringContaining('1 open orders') };
    await expect(limited.place({ petId: pet.id }, 'key_0')).rejects.toMatchObject(refused);
    await expect(limited.place({ petId: pet.id }, 'key_1')).rejects.toMatchObject({
      name: 'PetNotAvailableError',
    });
  });

  it.each(['cancel', 'decline'] as const)('counts no order after %s', async (action) => {
    const limited = shop.under({ mostOpen: 1 });
    const { id } = await shop.orderAt('approve');
    const next = await shop.pet();
    await expect(limited.place({ petId: next.id }, 'key_0')).rejects.toThrow('open orders');
    await shop.act(id, action);
    await limited.place({ petId: next.id }, 'key_0');
  });

  it('counts no order that was delivered', async () => {
    await shop.orderAt('approve', 'deliver');
    const next = await shop.pet();
    await shop.under({ mostOpen: 1 }).place({ petId: next.id }, 'key_0');
  });
});

describe('a list of orders', () => {
  it('shows each reader what it may see, narrowed by state and animal, page by page', async () => {
    const pets = await Promise.all(Array.from({ length: 12 }, () => shop.pet()));
    const ids: string[] = [];
    for (const [n, pet] of pets.entries()) ids.unshift((await shop.place(pet.id, `key_${n % 3}`)).id);
    for (const id of ids.slice(0, 6)) await shop.act(id as never, 'cancel');
    const [again] = pets.slice(-1);
    ids.unshift((await shop.place(again?.id ?? '', 'key_1')).id);
    const { rows } = await shop.feed.admin.query<Record<'id' | 'key_id' | 'status' | 'pet_id', string>>(
      'select id, key_id, status, pet_id from orders order by id desc',
    );
    for (const key of [undefined, 'key_0', 'key_1', 'key_3']) {
      for (const status of [undefined, 'placed', 'cancelled', 'expired'] as const) {
        for (const petId of [undefined, again?.id, pets[0]?.id]) {
          const wanted = rows
            .filter((row) => key === undefined || row.key_id === key)
            .filter((row) => status === undefined || row.status === status)
            .filter((row) => petId === undefined || row.pet_id === petId)
            .map(({ id }) => Number(id));
          const seen: number[] = [];
          for (let before: OrderPage['last'], more = true; more;) {
            const reach = key === undefined ? ('all' as const) : { keyId: key };
            const page = await shop.orders.list({ limit: 2, reach, status, petId, before });
            seen.push(...(JSON.parse(textsOf(page)) as { id: number }[]).map(({ id }) => id));
            ({ more, last: before } = page);
          }
          expect({ key, status, petId, seen }).toEqual({ key, status, petId, seen: wanted });
        }
      }
    }
  });

  it('finds an order within reach only', async () => {
    const { id } = await shop.orderAt();
    expect(await shop.orders.find(id, { keyId: 'key_0' })).toBeDefined();
    expect(await shop.orders.find(id, { keyId: 'key_1' })).toBeUndefined();
    expect(await shop.orders.find('9223372036854775807' as never, 'all')).toBeUndefined();
  });
});
