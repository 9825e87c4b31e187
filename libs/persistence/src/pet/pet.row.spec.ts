import { describe, expect, it } from '@jest/globals';
import { CategoryId, PetName } from '@petstore/pet-domain';
import { known } from '../testing/known.js';
import { toPet, toRow } from './pet.row.js';

describe('toPet', () => {
  it('takes the columns in their order and changes none', () => {
    expect(toPet(['9223372036854775807', 'Rex', '9007199254740993', 'sold'])).toEqual({
      id: '9223372036854775807',
      name: 'Rex',
      categoryId: '9007199254740993',
      status: 'sold',
    });
  });
});

describe('toRow', () => {
  it('leaves the columns that the database fills', () => {
    const name = known(PetName.parse('Rex'));
    const categoryId = known(CategoryId.parse('7'));
    expect(toRow({ name, categoryId, status: 'pending' })).toEqual({ name, categoryId, status: 'pending' });
  });
});
