import { definePlans } from '@petstore/api-key';

/** Every plan of the Pet Store Service, from the smallest (specification, section 8). */
export const PETSTORE_PLANS = definePlans({
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'own',
});
