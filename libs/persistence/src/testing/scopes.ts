import { definePlans, defineScopes } from '@petstore/api-key';

/** Scopes of keys in tests: what they are called is the product's affair. */
export const SCOPES = defineScopes({
  'pets:read': { grants: 'lists and fetches', byDefault: true, isPublishable: true },
  'pets:write': { grants: 'adds', byDefault: true },
});

/** Plans of no service in particular. */
export const PLANS = definePlans({
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'own',
});
