import { defineScopes, type ScopeDefinitions } from '@petstore/api-key';

/** Of pets. */
const PETS = {
  'pets:read': { grants: 'lists and fetches', byDefault: true },
  'pets:write': { grants: 'adds', byDefault: true },
} as const satisfies ScopeDefinitions;

/**
 * Every scope of the Pet Store Service, in the order in which people read them. A feature adds its own here, without
 * `byDefault`: what a key may do that an operator creates without scopes stays what it was.
 */
export const PETSTORE_SCOPES = defineScopes(PETS);
