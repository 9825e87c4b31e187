import { describe, expect, it } from '@jest/globals';
import type { Pet } from './pet.js';
import { PetHeldByOrderError, requireRemovable } from './pet-hold.js';
import { patchPet } from './pet-patch.js';
import { PetStatus } from './pet-status.js';

const pet = (status: PetStatus): Pet => ({ id: '1', name: 'Rex', categoryId: '7', status }) as unknown as Pet;

describe.each([
  ['reserved', 'pending', 'An order holds this animal'],
  ['adopted', 'sold', 'adopted through an order'],
] as const)('an animal that is %s', (hold, status, message) => {
  it.each(PetStatus.ALL.filter((to) => to !== status))('cannot become %s by hand', (to) => {
    const change = (): Pet => patchPet(pet(status), { status: to, name: 'Mia' as Pet['name'] }, hold);
    expect(change).toThrow(PetHeldByOrderError);
    // Even where the table of status changes would refuse it.
    expect(change).toThrow(message);
  });

  it('can be changed otherwise', () => {
    expect(patchPet(pet(status), { name: 'Mia' as Pet['name'], status }, hold)).toEqual({
      ...pet(status),
      name: 'Mia',
    });
    const same = pet(status);
    expect(patchPet(same, { status }, hold)).toBe(same);
  });
});

it('only a reserved animal cannot be removed', () => {
  expect(() => {
    requireRemovable('reserved');
  }).toThrow(PetHeldByOrderError);
  requireRemovable('adopted');
  requireRemovable(undefined);
});
