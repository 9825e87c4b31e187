import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderAction, OrderId } from '@petstore/order-domain';
import type { Pet } from '@petstore/pet-domain';
import { expectStory } from './order-story.js';
import { walk } from './order-walk.js';
import { outcomeOf, Shelter } from './shelter.js';
import { until } from '../support/until.js';

const ROUNDS = 10;

let shelter: Shelter;

beforeAll(async () => {
  shelter = await Shelter.open();
});
afterAll(() => shelter.close());
beforeEach(() => shelter.reset());

/** Works while another session has locked rows and changed them. */
async function meanwhile<T>(statements: readonly string[], work: () => Promise<T>): Promise<T> {
  const { admin } = shelter;
  await admin.query('begin');
  for (const statement of statements) await admin.query(statement);
  try {
    return await work();
  } finally {
    await admin.query('commit');
  }
}

describe('placing an order', () => {
  it.each<[string, (pet: Pet) => Promise<unknown>, string, string[]]>([
    // A change to pending is none when the order has been placed before.
    ['a change to pending', (pet) => shelter.change(pet, { status: 'pending' }), 'pending', ['ok,ok']],
    ['a change to sold', (pet) => shelter.change(pet, { status: 'sold' }), 'sold', []],
    ['its removal', (pet) => shelter.remove(pet), 'undefined', []],
  ])('against %s of the pet: one of the two', async (_what, change, status, also) => {
    for (let round = 0; round < ROUNDS; round++) {
      const pet = await shelter.pet();
      const both = await Promise.all([outcomeOf(shelter.place(pet.id)), outcomeOf(change(pet))]);
      expect(['ok,pet_held_by_order', 'pet_not_available,ok', ...also]).toContain(both.join());
      expect(String(await shelter.statusOf('pets', pet.id))).toBe(both[0] === 'ok' ? 'pending' : status);
    }
    await expectStory(shelter);
  });

  it.each([
    ['sold', 'pet_not_available'],
    ['available', 'ok'],
  ])('waits for a transaction that has locked the pet, and finds it %s', async (status, outcome) => {
    const pet = await shelter.pet();
    let placed: Promise<string> | undefined;
    await meanwhile([`update pets set status = 'pending'`], async () => {
      placed = outcomeOf(shelter.place(pet.id));
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'`;
      await until(async () => (await shelter.admin.query(waiting)).rows.length === 1);
      await shelter.admin.query('update pets set status = $1', [status]);
    });
    expect(await placed).toBe(outcome);
  });
});

describe('an action on an order', () => {
  it.each([
    [[], 'cancel', 'cancelled'],
    [['approve'], 'decline', 'declined'],
    [['approve', 'deliver'], 'return', 'returned'],
    [['approve'], 'deliver', 'delivered'],
  ] as const)('after %p, %s against changes of its pet by hand', async (before, action, status) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, pet } = await shelter.orderAfter(...before);
      await Promise.all([
        shelter.act(id, action),
        outcomeOf(shelter.change(pet, { status: 'available' })),
        outcomeOf(shelter.change(pet, { status: 'sold' })),
        outcomeOf(shelter.rename(pet)),
        ...(round % 2 === 0 ? [outcomeOf(shelter.remove(pet))] : []),
      ]);
      expect(await shelter.statusOf('orders', id)).toBe(status);
    }
    await expectStory(shelter);
  });

  it.each<[OrderAction[], OrderAction[]]>([
    [['cancel', 'decline', 'approve'], []],
    [['cancel', 'deliver', 'decline'], ['approve']],
    [
      ['return', 'return', 'deliver'],
      ['approve', 'deliver'],
    ],
  ])('%p at once, each twice', async (actions, before) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await shelter.orderAfter(...before);
      const outcomes = await Promise.all(
        [...actions, ...actions].map((each) => outcomeOf(shelter.act(id, each))),
      );
      expect(outcomes).toContain('ok');
      for (const outcome of outcomes) expect(['ok', 'invalid_order_transition']).toContain(outcome);
    }
    await expectStory(shelter);
  });

  it('that is being placed finds it or does not', async () => {
    const outcomes = new Set<string>();
    for (let id = 1; id <= 2 * ROUNDS; id++) {
      const placing = shelter.place((await shelter.pet()).id);
      let isPlaced = false;
      void placing.then(() => (isPlaced = true));
      const actors = (['approve', 'cancel', 'approve', 'decline'] as const).map(async (action) => {
        for (let wasPlaced = false; !wasPlaced;) {
          wasPlaced = isPlaced;
          outcomes.add(await outcomeOf(shelter.act(String(id) as OrderId, action)));
        }
      });
      await Promise.all([placing, ...actors]);
    }
    for (const outcome of outcomes)
      expect(['ok', 'invalid_order_transition', 'order_not_found']).toContain(outcome);
    await expectStory(shelter);
  });

  it('that is not visible waits for no lock', async () => {
    const { id } = await shelter.orderAfter('approve');
    await meanwhile(['select from orders for update', 'select from pets for update'], async () => {
      const hidden = Array.from({ length: 20 }, () =>
        outcomeOf(shelter.act(id, 'cancel', { keyId: 'key_1' })),
      );
      expect(await Promise.all(hidden)).toEqual(hidden.map(() => 'order_not_found'));
    });
    expect((await shelter.act(id, 'cancel', { keyId: 'key_0' })).status).toBe('cancelled');
  });
});

it.each<[string, OrderAction, (pet: Pet, id: OrderId, n: number) => Promise<unknown>]>([
  ['places orders', 'cancel', (pet, _id, n) => shelter.place(pet.id, `key_${n % 4}`)],
  ['acts on one order', 'approve', (_pet, id) => shelter.act(id, 'approve')],
])('a crowd that %s of one pet does not keep other work waiting', async (_what, before, work) => {
  const [{ id, pet }, other] = [await shelter.orderAfter(before), await shelter.pet()];
  let done = 0;
  const crowd = Array.from({ length: 300 }, (_, n) => outcomeOf(work(pet, id, n)).finally(() => done++));
  await shelter.rename(other);
  expect(done).toBeLessThan(150);
  await Promise.all(crowd);
  await expectStory(shelter);
});

describe('expiry', () => {
  it('by several instances at once ends each order once', async () => {
    for (let n = 0; n < 30; n++) await shelter.orderAfter();
    await shelter.makeDue();
    const instance = async (): Promise<number> => {
      const expired = await shelter.orders.expire(10);
      return expired === 0 ? 0 : expired + (await instance());
    };
    let expired = 0;
    // Each instance skips the animals that another one has locked.
    while (expired < 30)
      for (const count of await Promise.all(Array.from({ length: 8 }, instance))) expired += count;
    expect(expired).toBe(30);
    expect((await shelter.events()).filter(({ type }) => type === 'order.expired')).toHaveLength(30);
    await expectStory(shelter);
  });

  it('leaves alone what was changed before the pet was locked', async () => {
    const [{ id, pet }, other] = [await shelter.orderAfter(), await shelter.orderAfter()];
    await shelter.makeDue();
    const changes = [
      `update orders set status = 'cancelled', expires_at = null where id = ${id}`,
      `update pets set status = 'available' where id = ${pet.id}`,
    ];
    expect(await meanwhile(changes, () => shelter.orders.expire(10))).toBe(1);
    expect(await shelter.orders.expire(10)).toBe(0);
    expect(await shelter.statusOf('orders', id)).toBe('cancelled');
    expect(await shelter.statusOf('orders', other.id)).toBe('expired');
  });
});

it('a walk of many clients meets no deadlock and no broken state, and reports all changes in order', async () => {
  const outcomes = await walk(shelter, 1_000);
  const expected = [
    ...['ok', 'invalid_order_transition', 'invalid_status_transition', 'order_not_found'],
    ...['pet_held_by_order', 'pet_not_available', 'pet_not_found'],
  ];
  expect(outcomes.filter((outcome) => !expected.includes(outcome))).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeGreaterThan(200);
  await expectStory(shelter);
  const { rows } = await shelter.admin.query<{ deadlocks: string; statuses: string }>(
    `select (select deadlocks from pg_stat_database where datname = current_database()),
       (select count(distinct status) from orders) as statuses`,
  );
  expect(rows[0]?.deadlocks).toBe('0');
  expect(Number(rows[0]?.statuses)).toBeGreaterThan(5);
});
