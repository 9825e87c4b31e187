import { expect, it } from '@jest/globals';
import { FLAT_FIELDS, PetProfile } from '@petstore/pet-domain';
import { PETSTORE, type Profile } from '@petstore/portal-formats';

/** Does not compile when the type in libs/portal-formats/src/animal.ts lacks a member. */
const MEMBERS: readonly (keyof Profile)[] = PetProfile.MEMBERS;

it('the format petstore has columns for each member of a profile', () => {
  const names = FLAT_FIELDS.map(({ name }) => name);
  expect(PETSTORE.writing?.columns).toEqual(expect.arrayContaining(names));
  expect(PETSTORE.reading?.columns).toEqual(expect.arrayContaining(names));
  expect(FLAT_FIELDS.map(({ member }) => member)).toEqual(expect.arrayContaining([...MEMBERS]));
});
