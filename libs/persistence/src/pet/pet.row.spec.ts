import { describe, expect, it } from '@jest/globals';
import { CategoryId, PetName } from '@petstore/pet-domain';
import { known } from '../testing/known.js';
import { toRow } from './pet.row.js';

describe('toRow', () => {
  it('leaves the columns that the database fills', () => {
    const name = known(PetName.parse('Rex'));
    const categoryId = known(CategoryId.parse('7'));
    expect(toRow({ name, categoryId, status: 'pending' })).toEqual({ name, categoryId, status: 'pending' });
  });
});
