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
