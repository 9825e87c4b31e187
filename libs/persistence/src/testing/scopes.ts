import { defineScopes } from '@petstore/api-key';

/** Scopes of keys in tests: what they are called is the product's affair. */
export const SCOPES = defineScopes({
  'pets:read': { grants: 'lists and fetches', byDefault: true, isPublishable: true },
  'pets:write': { grants: 'adds', byDefault: true },
});
