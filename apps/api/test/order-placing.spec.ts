import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectStory } from './order-story.js';
import { outcomeOf, Shelter, tally } from './shelter.js';
import { until } from './until.js';

const ROUNDS = 15;

let shelter: Shelter;

beforeAll(async () => {
  // Requests that wait for others must not time out on a busy machine.
  shelter = await Shelter.open({ answerTimeoutMs: 10_000 });
});
afterAll(() => shelter.close());
beforeEach(() => shelter.reset());

const waitingSessions = async (): Promise<number> => {
  const { rows } = await shelter.admin.query("select from pg_stat_activity where wait_event_type = 'Lock'");
  return rows.length;
};

describe('placing an order', () => {
  it.each([
    ['without', () => undefined],
    ['each with an Idempotency-Key', (n: number) => `token ${n}`],
  ])('by 200 at once, %s: one succeeds, and other work does not wait for them', async (_with, tokenOf) => {
    const [wanted, other] = [await shelter.pet(), await shelter.pet()];
    let over = 0;
    const crowd = Array.from({ length: 200 }, async (_, n) => {
      const outcome = await outcomeOf(shelter.place(wanted.id, `key_${n % 4}`, shelter.orders, tokenOf(n)));
      over++;
      return outcome;
    });
    await shelter.rename(other);
    expect(over).toBeLessThan(100);
    expect(tally(await Promise.all(crowd))).toEqual({ ok: 1, pet_not_available: 199 });
    await expectStory(shelter);
  });

  it.each([
    ['sold', 'The animal is sold.'],
    ['available', undefined],
  ])('waits for a transaction that has locked the pet, and finds it %s', async (status, message) => {
    const pet = await shelter.pet();
    const { admin } = shelter;
    await admin.query('begin');
    await admin.query(`update pets set status = 'pending' where id = $1`, [pet.id]);
    const placed = shelter.place(pet.id).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    await until(async () => (await waitingSessions()) === 1);
    await admin.query('update pets set status = $2 where id = $1', [pet.id, status]);
    await admin.query('commit');
    expect(await placed).toBe(message);
  });

  it('never exceeds the limit of a key, however many are placed at once', async () => {
    const limited = shelter.under(7);
    const pets = await Promise.all(Array.from({ length: 40 }, () => shelter.pet()));
    const outcomes = pets.map(({ id }, n) => outcomeOf(shelter.place(id, `key_${n % 2}`, limited)));
    expect(tally(await Promise.all(outcomes))).toEqual({ ok: 14, order_limit_reached: 26 });
    const { rows } = await shelter.admin.query(
      'select key_id, count(*)::int from orders group by 1 order by 1',
    );
    expect(rows).toEqual(['key_0', 'key_1'].map((key_id) => ({ key_id, count: 7 })));
  });

  it.each(['pending', 'sold'] as const)('against a change to %s by hand: one of the two', async (status) => {
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pet = await shelter.pet();
      const both = await Promise.all([
        outcomeOf(shelter.place(pet.id)),
        outcomeOf(shelter.patch(pet, { status })),
      ]);
      outcomes.push(both.join());
      expect(await shelter.statusOf(pet)).toBe(both[0] === 'ok' ? 'pending' : status);
    }
    // A change to pending is none when the order has been placed before.
    const allowed = [
      'ok,pet_held_by_order',
      'pet_not_available,ok',
      ...(status === 'pending' ? ['ok,ok'] : []),
    ];
    expect(outcomes.filter((both) => !allowed.includes(both))).toEqual([]);
    await expectStory(shelter);
  });

  it('against the removal of the pet: one of the two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const pet = await shelter.pet();
      const both = await Promise.all([outcomeOf(shelter.place(pet.id)), outcomeOf(shelter.remove(pet))]);
      expect(['ok,pet_held_by_order', 'pet_not_available,ok']).toContain(both.join());
    }
    await expectStory(shelter);
  });
});
