/** How many requests a subject may make: whole numbers from 1 to {@link MAX_LIMIT}. */
export interface RateLimits {
  /** Most requests admitted in any 60 seconds. */
  readonly perMinute: number;
  /** Most requests admitted in any 24 hours. */
  readonly perDay: number;
}

/** Greatest number that a limit can be. */
export const MAX_LIMIT = 999_999_999;

/** Whether `value` can be a limit. */
export function isLimit(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT;
}

/** @throws RangeError naming the number that is no limit */
export function checkLimits({ perMinute, perDay }: RateLimits): void {
  if (!isLimit(perMinute))
    throw new RangeError(`perMinute: ${perMinute} is no whole number from 1 to ${MAX_LIMIT}`);
  if (!isLimit(perDay)) throw new RangeError(`perDay: ${perDay} is no whole number from 1 to ${MAX_LIMIT}`);
}

/** What a request consumes from. */
export interface RateLimitSubject {
  /** Names the counts: `key:<id of the key>`, `address:<network>`. Subjects with equal ids share them. */
  readonly id: string;
  /** Limits from this request on; what was admitted under other limits still counts. */
  readonly limits: RateLimits;
  /** Whether requests after refusals lead to a ban. */
  readonly bannable?: boolean;
  /**
   * Whether anybody can have any number of such subjects: a client address. They are counted in the process alone, and
   * never reach Redis.
   */
  readonly isAnonymous?: boolean;
  /**
   * The id of the subject that this one has a share of: a visitor's share of a key. Both have one slot in a Redis Cluster,
   * so that one request can consume from both.
   */
  readonly partOf?: string;
}

/** One request consumes from one subject, or from several: from all or none. The first that refuses decides. */
export type RateLimitSubjects = RateLimitSubject | readonly RateLimitSubject[];

/** One of the two sliding windows (docs/contract.md, "Limits"). */
export interface RateLimitWindow {
  /** As the `RateLimit` fields call it. */
  readonly name: 'minute' | 'day';
  readonly seconds: number;
  readonly lengthMs: number;
}

export const MINUTE: RateLimitWindow = { name: 'minute', seconds: 60, lengthMs: 60_000 };

export const DAY: RateLimitWindow = { name: 'day', seconds: 86_400, lengthMs: 86_400_000 };

/**
 * Steps of a window. The requests of a step leave it together, with the last of them: at most half a percent of the
 * window late.
 */
export const WINDOW_STEPS = 200;

/** When a subject that goes on after refusals is banned, and for how long. All times in milliseconds. */
export interface BanPolicy {
  /** So many refusals within {@link BanPolicy.withinMs} bring a ban; the minute limit if that is greater. */
  readonly refusals: number;
  /** Length of the period in which refusals are counted, from the first on. */
  readonly withinMs: number;
  /** Length of the first ban. */
  readonly firstMs: number;
  /** How many times longer a ban is than the one before it. */
  readonly factor: number;
  /** A ban is a repeat when it begins at most so long after the end of the one before: a day at most. */
  readonly repeatMs: number;
  /** No ban is longer. */
  readonly longestMs: number;
}

/** 100 refusals in 5 minutes: 5 minutes, then 15, 45, ..., at most 24 hours. */
export const DEFAULT_BAN_POLICY: BanPolicy = {
  refusals: 100,
  withinMs: 5 * MINUTE.lengthMs,
  firstMs: 5 * MINUTE.lengthMs,
  factor: 3,
  repeatMs: DAY.lengthMs,
  longestMs: DAY.lengthMs,
};
