import { describe, expect, it } from '@jest/globals';
import { CategoryId, PetName } from '@petstore/pet-domain';
import { known } from '../testing/known.js';
import { PetRow, toPet, toRow } from './pet.row.js';

const row: PetRow = Object.assign(new PetRow(), {
  id: '9223372036854775807',
  name: 'Rex',
  categoryId: '9007199254740993',
  status: 'sold',
  createdAt: new Date(0),
});

describe('toPet', () => {
  it('takes exactly the members of an animal', () => {
    expect(toPet(row)).toEqual({
      id: '9223372036854775807',
      name: 'Rex',
      categoryId: '9007199254740993',
      status: 'sold',
    });
  });

  it.each([
    ['id', '0'],
    ['name', ''],
    ['categoryId', '-1'],
    ['status', 'lost'],
  ])('refuses a row whose %s is %j', (column, value) => {
    expect(() => toPet(Object.assign(new PetRow(), row, { [column]: value }))).toThrow('is no animal');
  });
});

describe('toRow', () => {
  it('leaves the columns that the database fills', () => {
    const name = known(PetName.parse('Rex'));
    const categoryId = known(CategoryId.parse('7'));
    expect(toRow({ name, categoryId, status: 'pending' })).toEqual({ name, categoryId, status: 'pending' });
  });
});
