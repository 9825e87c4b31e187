/** One of the two sliding windows that every request is charged to (specification, section 8). */
export interface RateLimitWindow {
  /** As the `RateLimit` fields call it. */
  readonly name: 'minute' | 'day';
  readonly seconds: number;
  readonly lengthMs: number;
  /**
   * How finely admissions are told apart, in milliseconds: those that fall into the same step leave the
   * window together, with the last of them. It bounds how late a unit can come back; early it never does.
   */
  readonly stepMs: number;
}

/** 60 seconds, exact to the millisecond of the clock. */
export const MINUTE: RateLimitWindow = { name: 'minute', seconds: 60, lengthMs: 60_000, stepMs: 1 };

/** 24 hours, late by less than 0.5 % of it. */
export const DAY: RateLimitWindow = { name: 'day', seconds: 86_400, lengthMs: 86_400_000, stepMs: 432_000 };
