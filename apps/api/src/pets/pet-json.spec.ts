import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CategoryId, type Pet, type PetId, PetName, PetStatus } from '@petstore/pet-domain';
import { petJson, petsJson } from './pet-json.js';

const int64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String);
const name = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom('"', '\\', '/', 'é', '🐶', '\u2028') }),
  )
  .filter((text): text is PetName => PetName.flaw(text) === undefined);
const pet: fc.Arbitrary<Pet> = fc.record({
  id: int64 as fc.Arbitrary<PetId>,
  name,
  categoryId: int64 as fc.Arbitrary<CategoryId>,
  status: fc.constantFrom(...PetStatus.ALL),
});

describe('petJson', () => {
  it('keeps every digit', () => {
    fc.assert(
      fc.property(pet, (animal) => {
        const json = petJson(animal);
        expect(json.startsWith(`{"id":${animal.id},"name":"`)).toBe(true);
        expect(json.endsWith(`,"categoryId":${animal.categoryId},"status":"${animal.status}"}`)).toBe(true);
      }),
    );
  });

  it('gives every name back as it was', () => {
    fc.assert(
      fc.property(pet, (animal) => {
        expect(JSON.parse(petJson(animal))).toMatchObject({ name: animal.name, status: animal.status });
      }),
    );
  });
});

describe('petsJson', () => {
  it('is an array of as many animals, in their order', () => {
    fc.assert(
      fc.property(fc.array(pet, { maxLength: 5 }), (animals) => {
        const names = (JSON.parse(petsJson(animals)) as Pet[]).map((animal) => animal.name);
        expect(names).toEqual(animals.map((animal) => animal.name));
      }),
    );
  });
});
