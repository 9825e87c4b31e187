import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidStatusTransitionError } from './invalid-status-transition.error.js';
import { patchPet, previousValues } from './pet-patch.js';
import { isAllowedTransition } from './pet-status-transitions.js';
import { anyPatch, anyPet } from './testing/any-pet.js';

/** Without members that say nothing. */
const given = (patch: object): object =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));

describe('patchPet', () => {
  it('gives the animal what is asked for, or refuses the whole patch', () => {
    fc.assert(
      fc.property(anyPet, anyPatch, (pet, patch) => {
        const before = { ...pet };
        if (isAllowedTransition(pet.status, patch.status ?? pet.status))
          expect(patchPet(pet, patch)).toEqual({ ...pet, ...given(patch) });
        else expect(() => patchPet(pet, patch)).toThrow(InvalidStatusTransitionError);
        expect(pet).toEqual(before);
      }),
    );
  });

  it('gives the animal itself when nothing changes', () => {
    fc.assert(
      fc.property(anyPet, (pet) => {
        const { name, categoryId, status } = pet;
        for (const patch of [{}, { name: undefined }, { name, categoryId, status }, { ...pet }])
          expect(patchPet(pet, patch)).toBe(pet);
      }),
    );
  });

  it('never changes the id, and adds nothing that an animal does not have', () => {
    const hostile = JSON.parse('{"id":"7","owner":"x","__proto__":{"status":"sold"}}') as object;
    fc.assert(
      fc.property(anyPet, (pet) => {
        expect(patchPet(pet, hostile)).toBe(pet);
      }),
    );
  });
});

describe('previousValues', () => {
  it('name what was changed and nothing else', () => {
    fc.assert(
      fc.property(anyPet, anyPet, (before, other) => {
        const after = { ...other, id: before.id };
        const previous = previousValues(before, after);
        for (const member of ['name', 'categoryId', 'status'] as const) {
          const isChanged = before[member] !== after[member];
          expect(Object.hasOwn(previous, member)).toBe(isChanged);
          if (isChanged) expect(previous[member]).toBe(before[member]);
        }
        expect(previous).not.toHaveProperty('id');
      }),
    );
  });

  it('lead back to the animal as it was', () => {
    fc.assert(
      fc.property(anyPet, anyPatch, (before, patch) => {
        fc.pre(isAllowedTransition(before.status, patch.status ?? before.status));
        const after = patchPet(before, patch);
        expect({ ...after, ...previousValues(before, after) }).toEqual(before);
        // By another patch, too, where the way back is allowed.
        if (isAllowedTransition(after.status, before.status))
          expect(patchPet(after, previousValues(before, after))).toEqual(before);
      }),
    );
  });
});
