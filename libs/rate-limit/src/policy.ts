/** How many requests a caller may make: whole numbers, 1 to 999,999,999. */
export interface PlanLimits {
  /** Most requests admitted in any 60 seconds. */
  readonly perMinute: number;
  /** Most requests admitted in any 24 hours. */
  readonly perDay: number;
}

/** Every plan, from the smallest (specification, section 8). */
const ALL = ['free', 'pro', 'business', 'enterprise'] as const;

/** A plan that a key can be on. */
export type PlanName = (typeof ALL)[number];

/** A plan whose limits are the same for every key on it. */
export type FixedPlanName = Exclude<PlanName, 'enterprise'>;

const FIXED: Readonly<Record<FixedPlanName, PlanLimits>> = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
};

const known: ReadonlySet<string> = new Set(ALL);
const MAX_LIMIT = 999_999_999;

export const Plan = {
  ALL,
  /** Greatest number that either limit of an enterprise key can be. */
  MAX_LIMIT,
  /** The plan that `text` names, letter for letter, or `undefined`. */
  parse(text: string): PlanName | undefined {
    return known.has(text) ? (text as PlanName) : undefined;
  },
  /** Whether every key on the plan has the same limits; an enterprise key brings its own two numbers. */
  isFixed(name: PlanName): name is FixedPlanName {
    return name !== 'enterprise';
  },
  /** The limits of a fixed plan (specification, section 8). */
  limitsOf(name: FixedPlanName): PlanLimits {
    return FIXED[name];
  },
  /** Whether `value` can be one of the two numbers of an enterprise key. */
  isLimit(value: number): boolean {
    return Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT;
  },
} as const;

/** One of the two sliding windows that every request is charged to (specification, section 8). */
export interface RateLimitWindow {
  /** As the `RateLimit` fields call it. */
  readonly name: 'minute' | 'day';
  readonly seconds: number;
  readonly lengthMs: number;
}

/**
 * Steps of a window. The requests of a step leave it together, with the last of them: at most half a percent of the
 * window late, never early.
 */
export const WINDOW_STEPS = 200;

export const MINUTE: RateLimitWindow = { name: 'minute', seconds: 60, lengthMs: 60_000 };

export const DAY: RateLimitWindow = { name: 'day', seconds: 86_400, lengthMs: 86_400_000 };

/** Who is charged for a request. */
export interface RateLimitSubject {
  /**
   * Names the counters, for as long as they shall live: `key:<id of the key>`, `address:<network>`.
   * Subjects with equal ids share their counters, whatever their limits say.
   */
  readonly id: string;
  /** Limits from this request on; what was admitted under other limits still counts. */
  readonly limits: PlanLimits;
  /** Whether requests after refusals lead to a ban: keys yes, addresses no. */
  readonly bannable: boolean;
  /**
   * Whether a client can have any number of such subjects: addresses yes, keys no. Their memory is bounded: small
   * counts expire early ({@link SMALL_SHARE}), and beyond a number new ones share the limit of a wider network.
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

/** When a key that goes on after refusals is banned, and for how long. All times in milliseconds. */
export interface BanPolicy {
  /** So many refusals within {@link BanPolicy.withinMs} bring a ban; the plan's minute limit if that is greater. */
  readonly refusals: number;
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

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** 100 refusals in 5 minutes: 5 minutes, then 15, 45, ..., at most 24 hours. */
export const DEFAULT_BAN_POLICY: BanPolicy = {
  refusals: 100,
  withinMs: 5 * MINUTE_MS,
  firstMs: 5 * MINUTE_MS,
  factor: 3,
  repeatMs: DAY_MS,
  longestMs: DAY_MS,
};

/** The time in which refusals are counted is divided into so many steps, which count in whole. */
export const REFUSAL_STEPS = 30;
