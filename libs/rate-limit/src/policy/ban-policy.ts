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
