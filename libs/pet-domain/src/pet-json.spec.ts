import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CategoryId } from './category-id.js';
import { petJson } from './pet.js';
import type { PetId } from './pet-id.js';
import type { PetName } from './pet-name.js';
import { anyPet } from './testing/any-pet.js';

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
