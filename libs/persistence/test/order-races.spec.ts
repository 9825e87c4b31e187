import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidOrderTransitionError, type OrderAction, type OrderId } from '@petstore/order-domain';
import { patchPet, type Pet, type PetStatus, requireRemovable } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { expectStory } from './order-story.js';
import { outcomeOf, Shop, tally } from './shop.js';

const ROUNDS = 15;

let shop: Shop;

beforeAll(async () => {
  // Whoever waits for others shall not give up: a busy machine is no deadlock.
  shop = await Shop.open({ answerTimeoutMs: 10_000 });
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

const patch = (pet: Pet, status: PetStatus): Promise<unknown> =>
  shop.feed.database.pets.change(pet.id, (current, hold) => patchPet(current, { status }, hold));
const rename = (pet: Pet): Promise<unknown> =>
  shop.feed.database.pets.change(pet.id, (current, hold) =>
    patchPet(current, { name: `${current.name}.` as Pet['name'] }, hold),
  );
const remove = (pet: Pet): Promise<unknown> =>
  shop.feed.database.pets.remove(pet.id, (_pet, hold) => {
    requireRemovable(hold);
  });

describe('an order against a change of its animal', () => {
  it.each(['pending', 'sold'] as const)('placing and %s by hand: one of the two', async (status) => {
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pet = await shop.pet();
      const both = await Promise.all([outcomeOf(shop.place(pet.id)), outcomeOf(patch(pet, status))]);
      outcomes.push(both.join());
      expect(await shop.statusOf(pet)).toBe(both[0] === 'ok' ? 'pending' : status);
    }
    expect(Object.keys(tally(outcomes)).sort()).toEqual(
      Object.keys(tally(outcomes))
        .filter((both) => ['ok,PetHeldByOrderError', 'PetNotAvailableError,ok', 'ok,ok'].includes(both))
        .sort(),
    );
    // Both can succeed only where a hold by hand changed nothing: then the order was there before.
    if (status === 'sold') expect(outcomes).not.toContain('ok,ok');
    await expectStory(shop);
  });

  it('placing and removal: one of the two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const pet = await shop.pet();
      const both = await Promise.all([outcomeOf(shop.place(pet.id)), outcomeOf(remove(pet))]);
      expect(['ok,PetHeldByOrderError', 'PetNotAvailableError,ok']).toContain(both.join());
    }
    await expectStory(shop);
  });

  it.each([
    [[], 'cancel'],
    [['approve'], 'decline'],
    [['approve', 'deliver'], 'return'],
    [['approve'], 'deliver'],
  ] as const)('after %p, %s and changes by hand leave everything in order', async (way, action) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, pet } = await shop.orderAt(...way);
      await Promise.all([
        outcomeOf(shop.act(id, action)),
        outcomeOf(patch(pet, 'available')),
        outcomeOf(patch(pet, 'sold')),
        outcomeOf(rename(pet)),
        ...(round % 2 === 0 ? [outcomeOf(remove(pet))] : []),
      ]);
      expect(await shop.row(id)).toMatchObject({
        status: { cancel: 'cancelled', decline: 'declined', return: 'returned', deliver: 'delivered' }[
          action
        ],
      });
    }
    await expectStory(shop);
  });
});

describe('actions on one order at once', () => {
  it.each([
    [['cancel', 'decline', 'approve'], []],
    [['cancel', 'deliver', 'decline'], ['approve']],
    [
      ['return', 'return', 'deliver'],
      ['approve', 'deliver'],
    ],
  ] as readonly (readonly [OrderAction[], OrderAction[]])[])('%p', async (actions, way) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await shop.orderAt(...way);
      const results = await Promise.allSettled(
        [...actions, ...actions].map((action) => shop.act(id, action)),
      );
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(InvalidOrderTransitionError);
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    }
    await expectStory(shop);
  });
});

describe('actions on an order that is being placed', () => {
  it('find it or do not, and meet no deadlock', async () => {
    const outcomes: string[] = [];
    for (let id = 1; id <= 100; id++) {
      const pet = await shop.pet();
      let isPlaced = false as boolean;
      const placing = shop.place(pet.id).finally(() => (isPlaced = true));
      const client = async (action: OrderAction): Promise<void> => {
        while (!isPlaced) outcomes.push(await outcomeOf(shop.act(String(id) as OrderId, action)));
        // Once more, when it is certain to be there.
        outcomes.push(await outcomeOf(shop.act(String(id) as OrderId, action)));
      };
      await Promise.all(
        (['approve', 'cancel', 'approve', 'decline'] as const).flatMap((action) => [
          client(action),
          client(action),
        ]),
      );
      await placing;
    }
    expect(Object.keys(tally(outcomes)).sort()).toEqual(['InvalidOrderTransitionError', 'ok']);
    expect(await shop.deadlocks()).toBe('0');
    await expectStory(shop);
  });
});

describe('a walk of 16 clients', () => {
  it('through 10,000 actions meets no deadlock and no broken state, and tells it all in order', async () => {
    const PETS = 12;
    const pets: Pet[] = [];
    for (let n = 0; n < PETS; n++) pets.push(await shop.pet());
    let seed = 20_261_122;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    let done = 0;
    let newest = 0;
    const outcomes: string[] = [];
    const order = (): OrderId => String(Math.max(1, newest - random(2 * PETS))) as OrderId;
    const pet = (): Pet => known(pets[random(PETS)]);
    const steps: readonly (readonly [number, (client: number) => Promise<unknown>])[] = [
      [
        30,
        async (client) => {
          const { id } = await shop.place(pet().id, `key_${client % 4}`);
          newest = Math.max(newest, Number(id));
        },
      ],
      [14, () => shop.act(order(), 'approve')],
      [14, () => shop.act(order(), 'deliver')],
      [10, (client) => shop.act(order(), 'cancel', { keyId: `key_${client % 4}` })],
      [6, () => shop.act(order(), 'decline')],
      [12, () => shop.act(order(), 'return')],
      [4, () => patch(pet(), (['available', 'pending', 'sold'] as const)[random(3)] ?? 'sold')],
      [4, () => rename(pet())],
      [
        2,
        async () => {
          const at = random(PETS);
          if (await remove(known(pets[at]))) pets[at] = await shop.pet();
        },
      ],
      [2, () => shop.orders.expire(10)],
      [
        2,
        () =>
          shop.feed.admin.query(
            `update orders set expires_at = now() where id = $1 and expires_at is not null`,
            [order()],
          ),
      ],
    ];
    const step = (client: number): Promise<unknown> => {
      let lot = random(steps.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, run] of steps) if ((lot -= weight) < 0) return run(client);
      throw new Error('There is a step for every lot.');
    };
    const walk = async (client: number): Promise<void> => {
      while (done < 10_000) {
        done++;
        outcomes.push(await outcomeOf(step(client)));
      }
    };
    const clients = Promise.all(Array.from({ length: 16 }, (_, client) => walk(client)));
    while (done < 10_000) await shop.expectUnbroken();
    await clients;
    const counts = tally(outcomes);
    expect(Object.keys(counts).sort()).toEqual([
      'InvalidOrderTransitionError',
      'InvalidStatusTransitionError',
      'PetHeldByOrderError',
      'PetNotAvailableError',
      'ok',
    ]);
    expect(counts['ok']).toBeGreaterThan(2_000);
    await expectStory(shop);
    expect(await shop.deadlocks()).toBe('0');
    const { rows: states } = await shop.feed.admin.query<{ status: string }>(
      'select distinct status from orders',
    );
    expect(states.length).toBeGreaterThan(5);
  });
});
