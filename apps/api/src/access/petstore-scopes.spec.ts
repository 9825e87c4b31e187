import { expect, it } from '@jest/globals';
import { PETSTORE_SCOPES } from './petstore-scopes.js';

it('gives a key that is created without scopes exactly pets:read and pets:write', () => {
  expect(PETSTORE_SCOPES.defaults).toEqual(['pets:read', 'pets:write']);
});
