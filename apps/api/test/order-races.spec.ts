import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderAction, OrderId } from '@petstore/order-domain';
import type { Pet, PetStatus } from '@petstore/pet-domain';
import { expectStory } from './order-story.js';
import { outcomeOf, Shelter, tally } from './shelter.js';

const ROUNDS = 15;

let shelter: Shelter;

beforeAll(async () => {
  // Requests that wait for others must not time out on a busy machine.
  shelter = await Shelter.open({ answerTimeoutMs: 10_000 });
});
afterAll(() => shelter.close());
beforeEach(() => shelter.reset());

const patch = (pet: Pet, status: PetStatus): Promise<Pet> => shelter.patch(pet, { status });

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
        outcomeOf(patch(pet, 'available')),
        outcomeOf(patch(pet, 'sold')),
        outcomeOf(shelter.rename(pet)),
        ...(round % 2 === 0 ? [outcomeOf(shelter.remove(pet))] : []),
      ]);
      expect(await shelter.orderStatus(id)).toBe(status);
    }
    await expectStory(shelter);
  });

  it.each([
    [['cancel', 'decline', 'approve'], []],
    [['cancel', 'deliver', 'decline'], ['approve']],
    [
      ['return', 'return', 'deliver'],
      ['approve', 'deliver'],
    ],
  ] as readonly (readonly [OrderAction[], OrderAction[]])[])('%p at once', async (actions, before) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await shelter.orderAfter(...before);
      const outcomes = await Promise.all(
        [...actions, ...actions].map((action) => outcomeOf(shelter.act(id, action))),
      );
      expect(outcomes).toContain('ok');
      expect(outcomes.filter((one) => one !== 'ok' && one !== 'invalid_order_transition')).toEqual([]);
    }
    await expectStory(shelter);
  });

  it('that is being placed finds it or does not', async () => {
    const outcomes: string[] = [];
    for (let id = 1; id <= 30; id++) {
      const pet = await shelter.pet();
      let isPlaced = false as boolean;
      const placing = shelter.place(pet.id).finally(() => (isPlaced = true));
      const client = async (action: OrderAction): Promise<void> => {
        while (!isPlaced) outcomes.push(await outcomeOf(shelter.act(String(id) as OrderId, action)));
        outcomes.push(await outcomeOf(shelter.act(String(id) as OrderId, action)));
      };
      await Promise.all((['approve', 'cancel', 'approve', 'decline'] as const).map(client));
      await placing;
    }
    const expected = ['invalid_order_transition', 'ok', 'order_not_found'];
    expect(Object.keys(tally(outcomes)).filter((one) => !expected.includes(one))).toEqual([]);
    await expectStory(shelter);
  });

  it('by 150 at once does not keep other work waiting', async () => {
    const [{ id }, other] = [await shelter.orderAfter('approve'), await shelter.pet()];
    let over = 0;
    const all = Array.from({ length: 150 }, () => shelter.act(id, 'approve').finally(() => over++));
    await shelter.rename(other);
    expect(over).toBeLessThan(50);
    for (const { status } of await Promise.all(all)) expect(status).toBe('approved');
  });

  it('that is not visible waits for no lock', async () => {
    const { id, pet } = await shelter.orderAfter('approve');
    const { admin } = shelter;
    await admin.query('begin');
    await admin.query('select from orders where id = $1 for update', [id]);
    await admin.query('select from pets where id = $1 for update', [pet.id]);
    const hidden = Array.from({ length: 20 }, () => outcomeOf(shelter.act(id, 'cancel', { keyId: 'key_1' })));
    expect(await Promise.all(hidden)).toEqual(hidden.map(() => 'order_not_found'));
    await admin.query('rollback');
    expect((await shelter.act(id, 'cancel', { keyId: 'key_0' })).status).toBe('cancelled');
  });

  it('of taking back leaves a removed pet removed', async () => {
    const { id, pet } = await shelter.orderAfter('approve', 'deliver');
    await shelter.remove(pet);
    await shelter.act(id, 'return', 'all', 'allergic');
    expect((await shelter.events()).slice(-2).map(({ type }) => type)).toEqual([
      'pet.deleted',
      'order.returned',
    ]);
    await expectStory(shelter);
  });
});

describe('expiry', () => {
  it.each([[[]], [['approve']]] as const)('after %p ends an order and releases its pet', async (before) => {
    const { id, pet } = await shelter.orderAfter(...before);
    expect(await shelter.orders.expire(100)).toBe(0);
    await shelter.makeDue();
    // Nothing else can happen to it.
    for (const action of ['deliver', 'cancel', 'decline'] as const)
      await expect(shelter.act(id, action)).rejects.toThrow(
        'The time of this order is up: it can only expire.',
      );
    expect(await shelter.orders.expire(100)).toBe(1);
    expect([await shelter.orderStatus(id), await shelter.statusOf(pet)]).toEqual(['expired', 'available']);
    await expect(shelter.act(id, 'cancel')).rejects.toThrow('An expired order is final.');
    expect((await shelter.events()).slice(-2).map(({ type }) => type)).toEqual([
      'order.expired',
      'pet.updated',
    ]);
    await expectStory(shelter);
  });

  it('by several instances at once ends each order once', async () => {
    for (let n = 0; n < 30; n++) await shelter.orderAfter();
    await shelter.makeDue();
    const instance = async (): Promise<number> => {
      const expired = await shelter.orders.expire(10);
      return expired === 0 ? 0 : expired + (await instance());
    };
    let expired = 0;
    // Each instance skips the pets that another one has locked.
    while (expired < 30)
      for (const count of await Promise.all(Array.from({ length: 8 }, instance))) expired += count;
    expect(expired).toBe(30);
    expect((await shelter.events()).filter(({ type }) => type === 'order.expired')).toHaveLength(30);
    await expectStory(shelter);
  });

  it('leaves alone what was changed before the pet was locked', async () => {
    const [{ id, pet }, other] = [await shelter.orderAfter(), await shelter.orderAfter()];
    await shelter.makeDue();
    const { admin } = shelter;
    await admin.query('begin');
    await admin.query(`update orders set status = 'cancelled', expires_at = null where id = $1`, [id]);
    await admin.query(`update pets set status = 'available' where id = $1`, [pet.id]);
    expect(await shelter.orders.expire(10)).toBe(1);
    await admin.query('commit');
    expect(await shelter.orders.expire(10)).toBe(0);
    expect([await shelter.orderStatus(id), await shelter.orderStatus(other.id)]).toEqual([
      'cancelled',
      'expired',
    ]);
  });
});
