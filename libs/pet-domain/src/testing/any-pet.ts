import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import type { CategoryId } from '../category.js';
import { Pet, type PetId, PetName, type PetPatch } from '../pet.js';
import { PetStatus } from '../pet-status.js';

const int64 = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  fc.constantFrom(1n, 2n ** 53n + 1n, 2n ** 63n - 1n),
);
const categoryId = int64.map((value) => String(value) as CategoryId);
const status = fc.constantFrom(...PetStatus.ALL);

/** Every kind of name, above all those that JSON must escape. */
export const anyName = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '/', ',', '}', 'é', '🐶', '\u2028'),
      minLength: 1,
      maxLength: 255,
    }),
  )
  .filter((text): text is PetName => PetName.parse(text) !== undefined);

export const anyPet: fc.Arbitrary<Pet> = fc
  .record({ id: int64.map((value) => String(value) as PetId), name: anyName, categoryId, status })
  .map((fields) => new Pet(fields));

/** Some members are absent, others there without a value: both mean that they stay. */
export const anyPatch: fc.Arbitrary<PetPatch> = fc.record(
  {
    name: fc.option(anyName, { nil: undefined }),
    categoryId: fc.option(categoryId, { nil: undefined }),
    status: fc.option(status, { nil: undefined }),
  },
  { requiredKeys: [] },
);
