import { type Caller, defineScopes, type ScopeDefinitions } from '@petstore/api-key';

/** Of pets. */
const PETS = {
  'pets:read': {
    grants: 'lists and fetches animals and categories, counts, follows the feed',
    byDefault: true,
  },
  'pets:write': { grants: 'adds, changes and removes animals', byDefault: true },
} as const satisfies ScopeDefinitions;

/** Of categories; to read them takes `pets:read`. */
const CATEGORIES = {
  'categories:write': { grants: 'adds, renames and removes categories' },
} as const satisfies ScopeDefinitions;

/** Of adoption orders. */
const ORDERS = {
  'orders:read': { grants: 'lists and fetches its own orders, and their events' },
  'orders:write': { grants: 'places and cancels its own orders' },
  'orders:manage': {
    grants: 'approves, delivers, declines and takes back; the other two then reach the orders of all keys',
  },
} as const satisfies ScopeDefinitions;

/** Of webhooks. What they deliver takes the scopes that reading it takes. */
const WEBHOOKS = {
  'webhooks:manage': {
    grants: 'adds, changes and removes its own webhooks, and has events delivered to them',
  },
} as const satisfies ScopeDefinitions;

/**
 * Every scope of the Pet Store Service, in the order in which people read them. A feature adds its own here, without
 * `byDefault`: what a key may do that an operator creates without scopes stays what it was.
 */
export const PETSTORE_SCOPES = defineScopes(PETS, CATEGORIES, ORDERS, WEBHOOKS);

const WRITES = PETSTORE_SCOPES.all.filter((scope) => !scope.endsWith(':read'));

/** Whether a caller can change nothing, and so cannot miss a change of its own where reads lag some seconds. */
export function mayLag({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return !WRITES.some((scope) => scopes.has(scope));
}
