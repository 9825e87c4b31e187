import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CategoryId, type Pet, type PetId, petJson, PetName, PetStatus } from '@petstore/pet-domain';
import { rowBody } from '../testing/wire-rows.js';
import { PageReader, PetReader } from './pet-readers.js';

const int64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String);
const name = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }),
    fc.string({ unit: fc.constantFrom('"', '\\', '/', 'é', '🐶', '\u2028'), maxLength: 255 }),
  )
  .filter((text): text is PetName => PetName.flaw(text) === undefined);
const pet: fc.Arbitrary<Pet> = fc.record({
  id: int64 as fc.Arbitrary<PetId>,
  name,
  categoryId: int64 as fc.Arbitrary<CategoryId>,
  status: fc.constantFrom(...PetStatus.ALL),
});

/** A row in the middle of what came with it. */
function row({ id, name, categoryId, status }: Pet) {
  const around = Buffer.from('DRow"\\');
  const bytes = Buffer.concat([around, rowBody([id, name, categoryId, status]), around]);
  return { bytes, at: around.length };
}

describe('PageReader', () => {
  it('writes what petJson writes, and says where the page ends and whether another follows', () => {
    fc.assert(
      fc.property(fc.array(pet, { maxLength: 12 }), fc.integer({ min: 1, max: 12 }), (animals, limit) => {
        const reader = new PageReader(limit);
        for (const animal of animals.slice(0, limit + 1)) reader.take(row(animal));
        const { json, last, more } = reader.answer();
        const page = animals.slice(0, limit);
        expect(Buffer.from(json).toString()).toBe(`[${page.map(petJson).join(',')}]`);
        expect(last).toBe(page.at(-1)?.id);
        expect(more).toBe(animals.length > limit);
      }),
    );
  });
});

describe('PetReader', () => {
  it('writes what petJson writes', () => {
    fc.assert(
      fc.property(pet, (animal) => {
        const reader = new PetReader();
        reader.take(row(animal));
        expect(Buffer.from(reader.answer() ?? []).toString()).toBe(petJson(animal));
      }),
    );
  });

  it('has nothing to say of no row', () => {
    expect(new PetReader().answer()).toBeUndefined();
  });
});
