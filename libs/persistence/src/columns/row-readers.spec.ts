import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { type CategoryId, type Pet, type PetId, petJson, PetName, PetStatus } from '@petstore/pet-domain';
import { rowBody } from '../testing/wire-rows.js';
import { NEW_PET_COLUMNS, PET_COLUMNS, PET_LAYOUT } from '../pet/pet-columns.js';
import { arrayLiterals, arrayParameters } from './array-literals.js';
import { columnsOf } from './columns-of.js';
import { OneRowReader } from './one-row.reader.js';
import { PageReader } from './page.reader.js';

const int64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String);
const name = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 255 }),
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
        const reader = new PageReader<PetId>(PET_LAYOUT, limit);
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

describe('OneRowReader', () => {
  it('writes what petJson writes', () => {
    fc.assert(
      fc.property(pet, (animal) => {
        const reader = new OneRowReader(PET_LAYOUT);
        reader.take(row(animal));
        expect(Buffer.from(reader.answer() ?? []).toString()).toBe(petJson(animal));
      }),
    );
  });

  it('has nothing to say of no row', () => {
    expect(new OneRowReader(PET_LAYOUT).answer()).toBeUndefined();
  });
});

describe('the columns of animals', () => {
  it('are those of the row class, in the order of the fields', () => {
    expect(PET_COLUMNS.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id bigint',
      'name text',
      'category_id bigint',
      'status text',
    ]);
    expect(arrayParameters(NEW_PET_COLUMNS)).toBe('$1::text[], $2::bigint[], $3::text[]');
  });

  it('become one array literal each', () => {
    const animals = [
      { name: 'a"\\', categoryId: '1', status: 'sold' },
      { name: '{,} ', categoryId: '2', status: 'pending' },
    ];
    expect(arrayLiterals(NEW_PET_COLUMNS, animals)).toEqual([
      '{"a\\"\\\\","{,} "}',
      '{1,2}',
      '{sold,pending}',
    ]);
    expect(arrayLiterals(NEW_PET_COLUMNS, [])).toEqual(['{}', '{}', '{}']);
  });

  it('must be declared by the row class', () => {
    class Nothing {
      readonly id = '1';
    }
    expect(() => columnsOf(Nothing, { id: 'int64' })).toThrow(
      'Nothing has no column of a named type for id.',
    );
  });
});
