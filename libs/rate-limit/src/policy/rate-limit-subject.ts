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
  /**
   * Whether a client can have any number of such subjects: addresses yes, keys no. Their memory is bounded: small counts
   * are forgotten early ({@link SMALL_SHARE}), and from a certain number on new ones are metered by their wider network.
   */
  readonly numerous?: boolean;
}

/** A numerous subject that has used at most so much of its day limit ... */
export const SMALL_SHARE = 1 / 1_000;
/**
 * ... is forgotten after so many milliseconds without a request. A client that uses that every hour gets at most 24
 * times {@link SMALL_SHARE}, which is 2.4 %, beyond the day limit.
 */
export const SMALL_KEPT_MS = 3_600_000;
