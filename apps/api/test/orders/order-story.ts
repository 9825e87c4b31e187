import { expect } from '@jest/globals';
import type { Shelter } from './shelter.js';

/** Which rows break the rules of orders and animals, in one snapshot: none in any committed state. */
const BROKEN = `
  select 'two orders' as what, pet_id as id from orders where status in ('placed', 'approved', 'delivered')
    group by pet_id having count(*) > 1
  union all
  select 'reserved, but not pending', orders.id from orders left join pets on pets.id = pet_id
    where orders.status in ('placed', 'approved') and pets.status is distinct from 'pending'
  union all
  select 'adopted, but not sold', orders.id from orders join pets on pets.id = pet_id
    where orders.status = 'delivered' and pets.status <> 'sold'`;

/** The status of an order before each other one. */
const BEFORE: Readonly<Record<string, readonly unknown[]>> = {
  placed: [undefined],
  approved: ['placed'],
  delivered: ['approved'],
  cancelled: ['placed', 'approved'],
  declined: ['placed', 'approved'],
  expired: ['placed', 'approved'],
  returned: ['delivered'],
};

export async function expectUnbroken({ admin }: Shelter): Promise<void> {
  const { rows } = await admin.query(BROKEN);
  expect(rows).toEqual([]);
}

/** Every event tells of a change from what the one before of the same animal or order has told. */
export async function expectStory(shelter: Shelter): Promise<void> {
  await expectUnbroken(shelter);
  const events = await shelter.events();
  const pets = new Map<unknown, Record<string, unknown>>();
  const orders = new Map<unknown, unknown>();
  for (const [at, { type, timestamp, data }] of events.entries()) {
    const { pet, previous, order } = data;
    if (order !== undefined) {
      const { id, status, petId } = order;
      expect(BEFORE[String(status)]).toContain(orders.get(id));
      expect(timestamp).toBe(order['updatedAt']);
      orders.set(id, status);
      // The next event of the animal is what the order has made of it.
      if (status === 'approved' || !pets.has(petId)) continue;
      const next = events.slice(at + 1).find((event) => event.data['pet']?.['id'] === petId);
      const made = { placed: 'pending', delivered: 'sold' }[String(status)] ?? 'available';
      expect(next).toMatchObject({ type: 'pet.updated', timestamp, data: { pet: { status: made } } });
    } else if (pet !== undefined) {
      expect(pets.get(pet['id'])).toEqual(
        type === 'pet.created' ? undefined : type === 'pet.deleted' ? pet : { ...pet, ...previous },
      );
      if (type === 'pet.deleted') pets.delete(pet['id']);
      else pets.set(pet['id'], pet);
    }
  }
}
