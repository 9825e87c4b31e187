import { expect } from '@jest/globals';
import type { Shop } from './shop.js';

/** Every event tells of a change from what the one before of the same animal or order has told. */
export async function expectStory(shop: Shop): Promise<void> {
  await shop.expectUnbroken();
  const events = await shop.events();
  const pets = new Map<unknown, Record<string, unknown>>();
  const orders = new Map<unknown, unknown>();
  for (const [at, { type, data }] of events.entries()) {
    const { pet, previous, order } = data;
    if (order !== undefined) {
      const { id, status, petId } = order;
      const allowed: Record<string, readonly unknown[]> = {
        placed: [undefined],
        approved: ['placed'],
        delivered: ['approved'],
        cancelled: ['placed', 'approved'],
        declined: ['placed', 'approved'],
        expired: ['placed', 'approved'],
        returned: ['delivered'],
      };
      expect(allowed[String(status)]).toContain(orders.get(id));
      orders.set(id, status);
      // What is told next of the animal is what the order has made of it.
      if (status === 'approved' || !pets.has(petId)) continue;
      const next = events.slice(at + 1).find((event) => event.data['pet']?.['id'] === petId);
      const made = { placed: 'pending', delivered: 'sold' }[String(status)] ?? 'available';
      expect(next).toMatchObject({ type: 'pet.updated', data: { pet: { status: made } } });
    } else if (pet !== undefined) {
      expect(pets.get(pet['id'])).toEqual(
        type === 'pet.created' ? undefined : type === 'pet.deleted' ? pet : { ...pet, ...previous },
      );
      if (type === 'pet.deleted') pets.delete(pet['id']);
      else pets.set(pet['id'], pet);
    }
  }
  await shop.feed.expectRightInventory();
}
