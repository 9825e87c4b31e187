import { PETSTORE_PLANS } from '@petstore/api';
import type { KeyPlan } from '@petstore/api-key';
import type { RateLimits } from '@petstore/rate-limit';
import { wholeNumber } from '../output.js';

/** What a key may do; `undefined` on a plan of another version of the service. */
export function limitsOf(plan: KeyPlan): RateLimits | undefined {
  return PETSTORE_PLANS.limitsOf(plan);
}

/** `pro (300 a minute, 10,000 a day)`. */
export function planText(plan: KeyPlan): string {
  const limits = limitsOf(plan);
  return `${plan.name} (${limits === undefined ? 'not known to this version' : limitsText(limits)})`;
}

/** Every plan with its limits, in a line of help. */
export const ALL_PLANS = PETSTORE_PLANS.all
  .map((name) => {
    const definition = PETSTORE_PLANS.find(name);
    return `${name} ${definition === undefined || definition === 'own' ? 'its own' : limitsText(definition)}`;
  })
  .join(' · ');

/** The plans whose keys bring their own limits. */
export const OWN_LIMITS = PETSTORE_PLANS.all.filter((name) => PETSTORE_PLANS.find(name) === 'own').join(', ');

function limitsText({ perMinute, perDay }: RateLimits): string {
  return `${wholeNumber(perMinute)} a minute, ${wholeNumber(perDay)} a day`;
}
