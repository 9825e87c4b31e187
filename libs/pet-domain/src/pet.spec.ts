import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CategoryId } from './category.js';
import { Pet, PetHeldByOrderError, type PetId, petJson, type PetName, type PetState } from './pet.js';
import { InvalidStatusTransitionError, isAllowedTransition, PetStatus } from './pet-status.js';
import { anyPatch, anyPet } from './testing/any-pet.js';

const petOf = (status: PetStatus): Pet =>
  new Pet({ id: '1', name: 'Rex', categoryId: '7', status } as PetState);

/** Without members that say nothing. */
const given = (patch: object): object =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));

describe('a patch', () => {
  it('changes what it gives and returns the old values, or is refused as a whole', () => {
    fc.assert(
      fc.property(anyPet, anyPatch, (pet, patch) => {
        const before = structuredClone(pet);
        if (!isAllowedTransition(pet.status, patch.status ?? pet.status)) {
          expect(() => pet.patch(patch)).toThrow(InvalidStatusTransitionError);
          expect(pet).toEqual(before);
          return;
        }
        const previous = pet.patch(patch);
        expect(pet).toEqual(Object.assign(structuredClone(before), given(patch)));
        expect(Object.assign(structuredClone(pet), previous)).toEqual(before);
        for (const [member, old] of Object.entries(previous ?? {}))
          expect(old).not.toBe(pet[member as keyof Pet]);
      }),
    );
  });

  it('that changes nothing returns nothing', () => {
    fc.assert(
      fc.property(anyPet, (pet) => {
        const { name, categoryId, status } = pet;
        for (const patch of [{}, { name: undefined }, { name, categoryId, status }])
          expect(pet.patch(patch)).toBeUndefined();
      }),
    );
  });

  it('never changes the id, and adds nothing that a pet does not have', () => {
    const hostile = JSON.parse('{"id":"7","owner":"x","__proto__":{"status":"sold"}}') as object;
    fc.assert(
      fc.property(anyPet, (pet) => {
        const before = structuredClone(pet);
        expect(pet.patch(hostile)).toBeUndefined();
        expect(pet).toEqual(before);
      }),
    );
  });
});

describe.each([
  ['reserved', 'pending', 'An order holds this animal'],
  ['adopted', 'sold', 'adopted through an order'],
] as const)('a pet that is %s', (reservation, status, message) => {
  const pet = (): Pet => petOf(status);

  it.each(PetStatus.ALL.filter((to) => to !== status))('cannot become %s by a patch', (to) => {
    const patched = pet();
    // Even where the table of status changes would refuse it.
    const patch = (): unknown => patched.patch({ status: to, name: 'Mia' as Pet['name'] }, reservation);
    expect(patch).toThrow(PetHeldByOrderError);
    expect(patch).toThrow(message);
    expect(patched).toEqual(pet());
  });

  it('can be changed otherwise', () => {
    const patched = pet();
    expect(patched.patch({ name: 'Mia' as Pet['name'], status }, reservation)).toEqual({ name: 'Rex' });
    expect(patched).toMatchObject({ name: 'Mia', status });
  });
});

it('only a pet that is reserved cannot be removed', () => {
  const pet = petOf('pending');
  expect(() => {
    pet.requireRemovable('reserved');
  }).toThrow(PetHeldByOrderError);
  pet.requireRemovable('adopted');
  pet.requireRemovable(undefined);
});

describe('the JSON text of a pet', () => {
  it('has the members of the specification in their order, and nothing else', () => {
    const [id, categoryId] = ['42' as PetId, '7' as CategoryId];
    expect(petJson({ id, name: 'Rex' as PetName, categoryId, status: 'sold' })).toBe(
      '{"id":42,"name":"Rex","categoryId":7,"status":"sold"}',
    );
  });

  it('keeps every digit, and gives every name back as it was', () => {
    fc.assert(
      fc.property(anyPet, (pet) => {
        const json = petJson(pet);
        expect(json.startsWith(`{"id":${pet.id},"name":"`)).toBe(true);
        expect(json.endsWith(`,"categoryId":${pet.categoryId},"status":"${pet.status}"}`)).toBe(true);
        expect(JSON.parse(json)).toMatchObject({ name: pet.name, status: pet.status });
      }),
    );
  });
});
