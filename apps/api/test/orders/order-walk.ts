import { expect } from '@jest/globals';
import type { OrderId } from '@petstore/order-domain';
import type { Pet } from '@petstore/pet-domain';
import { expectUnbroken } from './order-story.js';
import { keyOf, outcomeOf, type Shelter } from './shelter.js';

const PETS = 12;
const CLIENTS = 16;

/** Numbers that look like chance, the same ones in each run. */
function pseudoRandom(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
}

/** Clients that do with a few animals and their orders whatever comes, at once. @returns what came of each step */
export async function walk(shelter: Shelter, steps: number): Promise<string[]> {
  const random = pseudoRandom(20_261_122);
  const pets: Pet[] = [];
  for (let n = 0; n < PETS; n++) pets.push(await shelter.pet());
  let newest = 0;
  const order = (): OrderId => String(Math.max(1, newest - random(2 * PETS))) as OrderId;
  const pet = (at = random(PETS)): Pet => {
    const found = pets[at];
    if (found === undefined) throw new Error('There is a pet at every place.');
    return found;
  };

  const place = async (client: number): Promise<void> => {
    newest = Math.max(newest, Number(await shelter.place(pet().id, keyOf(client % 4))));
  };
  const replace = async (): Promise<void> => {
    const at = random(PETS);
    await shelter.remove(pet(at));
    pets[at] = await shelter.pet();
  };
  const makeDue = (): Promise<unknown> =>
    shelter.admin.query('update orders set expires_at = now() where id = $1 and expires_at is not null', [
      order(),
    ]);
  const weighted: readonly (readonly [weight: number, step: (client: number) => Promise<unknown>])[] = [
    [30, place],
    [14, () => shelter.act(order(), 'approve')],
    [14, () => shelter.act(order(), 'deliver')],
    [10, (client) => shelter.act(order(), 'cancel', { keyId: keyOf(client % 4) })],
    [6, () => shelter.act(order(), 'decline')],
    [12, () => shelter.act(order(), 'return')],
    [
      4,
      () =>
        shelter.change(pet(), { status: (['available', 'pending', 'sold'] as const)[random(3)] ?? 'sold' }),
    ],
    [4, () => shelter.rename(pet())],
    [2, replace],
    [2, () => shelter.orders.expire(10)],
    [2, makeDue],
  ];
  const lots = weighted.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

  const outcomes: string[] = [];
  let begun = 0;
  const client = async (number: number): Promise<void> => {
    while (begun++ < steps) {
      const step = lots[random(lots.length)];
      if (step !== undefined) outcomes.push(await outcomeOf(step(number)));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  while (begun < steps) await expectUnbroken(shelter);
  await clients;
  expect(outcomes).toHaveLength(steps);
  return outcomes;
}
