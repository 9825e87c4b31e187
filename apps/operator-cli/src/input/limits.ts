import type { PlanLimits } from '@petstore/rate-limit';

/** The two numbers of an enterprise key, as far as they were given. */
export interface LimitOptions {
  readonly perMinute?: number;
  readonly perDay?: number;
}

export function limitsOf({ perMinute, perDay }: LimitOptions): Partial<PlanLimits> {
  return {
    ...(perMinute !== undefined && { perMinute }),
    ...(perDay !== undefined && { perDay }),
  };
}
