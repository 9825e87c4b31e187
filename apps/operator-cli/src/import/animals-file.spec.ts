import { expect, it } from '@jest/globals';
import { FLAT_FIELDS } from '@petstore/pet-domain';
import { PETSTORE } from '@petstore/portal-formats';

it('the format petstore has a column for each member of a profile', () => {
  const names = FLAT_FIELDS.map(({ name }) => name);
  expect(PETSTORE.writing?.columns).toEqual(expect.arrayContaining(names));
  expect(PETSTORE.reading?.columns).toEqual(expect.arrayContaining(names));
});
