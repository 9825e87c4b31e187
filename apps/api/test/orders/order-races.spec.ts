import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectStory } from './order-story.js';
import { walk } from './order-walk.js';
import { keyOf, outcomeOf, Shelter } from './shelter.js';
import { until } from '../support/until.js';

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

it.each([
  ['sold', 'pet_not_available'],
  ['available', 'ok'],
])(
  'placing an order waits for a transaction that has locked the pet, and finds it %s',
  async (status, outcome) => {
    const pet = await shelter.pet();
    let placed: Promise<string> | undefined;
    await meanwhile([`update pets set status = 'pending'`], async () => {
      placed = outcomeOf(shelter.place(pet.id));
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'`;
      await until(async () => (await shelter.admin.query(waiting)).rows.length === 1);
      await shelter.admin.query('update pets set status = $1', [status]);
    });
    expect(await placed).toBe(outcome);
  },
);

it('an action on an order that is not visible waits for no lock', async () => {
  const { id } = await shelter.orderAfter('approve');
  await meanwhile(['select from orders for update', 'select from pets for update'], async () => {
    const hidden = Array.from({ length: 20 }, () =>
      outcomeOf(shelter.act(id, 'cancel', { keyId: keyOf(1) })),
    );
    expect(await Promise.all(hidden)).toEqual(hidden.map(() => 'order_not_found'));
  });
  expect((await shelter.act(id, 'cancel', { keyId: keyOf(0) })).status).toBe('cancelled');
});

it('a crowd that acts on one order of a pet does not keep other work waiting', async () => {
  const [{ id }, other] = [await shelter.orderAfter('approve'), await shelter.pet()];
  let done = 0;
  const crowd = Array.from({ length: 100 }, () =>
    outcomeOf(shelter.act(id, 'approve')).finally(() => done++),
  );
  await shelter.rename(other);
  expect(done).toBeLessThan(50);
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

  it('leaves alone what was changed before the animal was locked', async () => {
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
  const outcomes = await walk(shelter, 400);
  const expected = [
    ...['ok', 'invalid_order_transition', 'invalid_status_transition', 'order_not_found'],
    ...['pet_held_by_order', 'pet_not_available', 'pet_not_found'],
  ];
  expect(outcomes.filter((outcome) => !expected.includes(outcome))).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeGreaterThan(80);
  await expectStory(shelter);
  const { rows } = await shelter.admin.query<{ deadlocks: string; statuses: string }>(
    `select (select deadlocks from pg_stat_database where datname = current_database()),
       (select count(distinct status) from orders) as statuses`,
  );
  expect(rows[0]?.deadlocks).toBe('0');
  expect(Number(rows[0]?.statuses)).toBeGreaterThan(5);
});
