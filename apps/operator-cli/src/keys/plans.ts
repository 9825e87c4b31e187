import { PETSTORE_PLANS } from '@petstore/api';
import type { RateLimits } from '@petstore/rate-limit';
import { wholeNumber } from '../output.js';

/** Every plan with its limits, in a line of help. */
export const ALL_PLANS = PETSTORE_PLANS.all
  .map((name) => {
    const definition = PETSTORE_PLANS.find(name);
    return `${name} ${definition === undefined || definition === 'own' ? 'its own' : limitsText(definition)}`;
  })
  .join(' · ');

/** The plans whose keys bring their own limits. */
export const OWN_LIMITS = PETSTORE_PLANS.all.filter((name) => PETSTORE_PLANS.find(name) === 'own').join(', ');

export function limitsText({ perMinute, perDay }: RateLimits): string {
  return `${wholeNumber(perMinute)} a minute, ${wholeNumber(perDay)} a day`;
}
