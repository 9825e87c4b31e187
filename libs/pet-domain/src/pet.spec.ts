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

it('takes any status that its shelter states, and returns what it has changed', () => {
  fc.assert(
    fc.property(anyPet, anyPatch, (pet, statement) => {
      const before = structuredClone(pet);
      const previous = pet.restate(statement);
      expect(pet).toEqual(Object.assign(structuredClone(before), given(statement)));
      expect(Object.assign(structuredClone(pet), previous)).toEqual(before);
      expect(pet.restate(statement)).toBeUndefined();
    }),
  );
});

describe.each([
  ['reserved', 'pending', 'An order holds this animal'],
  ['adopted', 'sold', 'adopted through an order'],
] as const)('a pet that is %s', (reservation, status, message) => {
  const pet = (): Pet => petOf(status);

  const changes = ['patch', 'restate'] as const;
  const others = PetStatus.ALL.filter((to) => to !== status);

  it.each(changes.flatMap((change) => others.map((to) => [change, to] as const)))(
    'cannot by %s become %s',
    (change, to) => {
      const changed = pet();
      // Even where the table of status changes would refuse it.
      const attempt = (): unknown => changed[change]({ status: to, name: 'Mia' as PetName }, reservation);
      expect(attempt).toThrow(PetHeldByOrderError);
      expect(attempt).toThrow(message);
      expect(changed).toEqual(pet());
    },
  );

  it.each(changes)('can be changed otherwise by %s', (change) => {
    const changed = pet();
    expect(changed[change]({ name: 'Mia' as PetName, status }, reservation)).toEqual({ name: 'Rex' });
    expect(changed).toMatchObject({ name: 'Mia', status });
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

it('the JSON text of a pet has the members of the contract in their order, and nothing else', () => {
  const [id, categoryId] = ['42' as PetId, '7' as CategoryId];
  expect(petJson({ id, name: 'Rex' as PetName, categoryId, status: 'sold' })).toBe(
    '{"id":42,"name":"Rex","categoryId":7,"status":"sold"}',
  );
});
