import { definePlans } from '@petstore/api-key';
import type { RateLimits } from '@petstore/rate-limit';

/** What examples in the documents show: those of the smallest plan. */
export const EXAMPLE_LIMITS: RateLimits = { perMinute: 60, perDay: 1_000 };

/** Every plan of the Pet Store Service, from the smallest (docs/contract.md, "Limits"). */
export const PETSTORE_PLANS = definePlans({
  free: EXAMPLE_LIMITS,
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'own',
});
