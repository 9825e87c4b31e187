/** One of the two sliding windows that every request is charged to (specification, section 8). */
export interface RateLimitWindow {
  /** As the `RateLimit` fields call it. */
  readonly name: 'minute' | 'day';
  readonly seconds: number;
  readonly lengthMs: number;
}

/**
 * A window is divided into so many steps, and the requests of one step leave it together, with the last of them: a unit
 * comes free by at most half a percent of its window late, and never early.
 */
export const WINDOW_STEPS = 200;

export const MINUTE: RateLimitWindow = { name: 'minute', seconds: 60, lengthMs: 60_000 };

export const DAY: RateLimitWindow = { name: 'day', seconds: 86_400, lengthMs: 86_400_000 };
