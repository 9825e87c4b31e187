import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OrderId } from '@petstore/order-domain';
import type { Pet, PetStatus } from '@petstore/pet-domain';
import { expectStory, expectUnbroken } from './order-story.js';
import { outcomeOf, Shelter, tally } from './shelter.js';

let shelter: Shelter;

beforeAll(async () => {
  // Requests that wait for others must not time out on a busy machine.
  shelter = await Shelter.open({ answerTimeoutMs: 10_000 });
});
afterAll(() => shelter.close());

const patch = (pet: Pet, status: PetStatus): Promise<Pet> => shelter.patch(pet, { status });

it('a walk of 16 clients through 2,000 actions meets no deadlock and no broken state, and reports all changes in order', async () => {
  const STEPS = 2_000;
  const PETS = 12;
  const pets: Pet[] = [];
  for (let n = 0; n < PETS; n++) pets.push(await shelter.pet());
  let seed = 20_261_122;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  let done = 0;
  let newest = 0;
  const outcomes: string[] = [];
  const order = (): OrderId => String(Math.max(1, newest - random(2 * PETS))) as OrderId;
  const pet = (at = random(PETS)): Pet => {
    const found = pets[at];
    if (found === undefined) throw new Error('There is a pet at every place.');
    return found;
  };
  const steps: readonly (readonly [number, (client: number) => Promise<unknown>])[] = [
    [
      30,
      async (client) => {
        const { id } = await shelter.place(pet().id, `key_${client % 4}`);
        newest = Math.max(newest, Number(id));
      },
    ],
    [14, () => shelter.act(order(), 'approve')],
    [14, () => shelter.act(order(), 'deliver')],
    [10, (client) => shelter.act(order(), 'cancel', { keyId: `key_${client % 4}` })],
    [6, () => shelter.act(order(), 'decline')],
    [12, () => shelter.act(order(), 'return')],
    [4, () => patch(pet(), (['available', 'pending', 'sold'] as const)[random(3)] ?? 'sold')],
    [4, () => shelter.rename(pet())],
    [
      2,
      async () => {
        const at = random(PETS);
        await shelter.remove(pet(at));
        pets[at] = await shelter.pet();
      },
    ],
    [2, () => shelter.orders.expire(10)],
    [
      2,
      () =>
        shelter.admin.query(`update orders set expires_at = now() where id = $1 and expires_at is not null`, [
          order(),
        ]),
    ],
  ];
  const step = (client: number): Promise<unknown> => {
    let lot = random(steps.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, run] of steps) if ((lot -= weight) < 0) return run(client);
    throw new Error('There is a step for every lot.');
  };
  const walk = async (client: number): Promise<void> => {
    while (done++ < STEPS) outcomes.push(await outcomeOf(step(client)));
  };
  const clients = Promise.all(Array.from({ length: 16 }, (_, client) => walk(client)));
  while (done < STEPS) await expectUnbroken(shelter);
  await clients;
  const counts = tally(outcomes);
  const expected = [
    ...['invalid_order_transition', 'invalid_status_transition', 'ok', 'order_not_found'],
    ...['pet_held_by_order', 'pet_not_available', 'pet_not_found'],
  ];
  expect(Object.keys(counts).filter((outcome) => !expected.includes(outcome))).toEqual([]);
  expect(counts['ok']).toBeGreaterThan(400);
  await expectStory(shelter);
  expect(await shelter.deadlocks()).toBe('0');
  const { rows: statuses } = await shelter.admin.query('select distinct status from orders');
  expect(statuses.length).toBeGreaterThan(5);
});
