import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import type { CategoryId } from './category-id.js';
import type { Pet } from './pet.js';
import type { PetId } from './pet-id.js';
import { petJson } from './pet-json.js';
import { PetName } from './pet-name.js';
import { PetStatus } from './pet-status.js';

const int64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String);
const name = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1 }),
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
  it('has the members of the specification in their order, and nothing else', () => {
    const [id, categoryId] = ['42' as PetId, '7' as CategoryId];
    expect(petJson({ id, name: 'Rex' as PetName, categoryId, status: 'sold' })).toBe(
      '{"id":42,"name":"Rex","categoryId":7,"status":"sold"}',
    );
  });

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
