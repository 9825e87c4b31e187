import { defineScopes } from '@petstore/api-key';

/**
 * Every scope of the Pet Store Service, in the order in which people read them. A feature adds its own here, without
 * `byDefault`: what a key may do that an operator creates without scopes stays what it was.
 */
export const PETSTORE_SCOPES = defineScopes({
  'pets:read': {
    grants: 'lists and fetches animals and their profiles, and categories, counts, follows the feed',
    byDefault: true,
    isPublishable: true,
  },
  'pets:write': { grants: 'adds, changes and removes animals and their profiles', byDefault: true },
  'categories:write': { grants: 'adds, renames and removes categories' },
  'orders:read': { grants: 'lists and fetches its own orders, and their events' },
  'orders:write': { grants: 'places and cancels its own orders' },
  'orders:manage': {
    grants: 'approves, delivers, declines and takes back; the other two then reach the orders of all keys',
  },
  // What they deliver takes the scopes that reading it takes.
  'webhooks:manage': {
    grants: 'adds, changes and removes its own webhooks, and has events delivered to them',
  },
});
