import type { PlanLimits } from './plan.js';

/** Who is charged for a request. */
export interface RateLimitSubject {
  /**
   * Names the counters, for as long as they shall live: `key:<id of the key>`, `address:<network>`.
   * Subjects with equal ids share their counters, whatever their limits say.
   */
  readonly id: string;
  /** What holds from this request on; what was admitted under other limits still counts. */
  readonly limits: PlanLimits;
  /** Whether going on after refusals ends in a ban: keys yes, addresses no. */
  readonly bannable: boolean;
}
