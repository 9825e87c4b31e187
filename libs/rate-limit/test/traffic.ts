import fc from 'fast-check';
import { DAY, type RateLimits } from '../src/index.js';
import { business, free } from './requests.js';

/** Milliseconds in which the requests of a day leave together. */
const DAY_STEP_MS = DAY.lengthMs / 200;

/** Milliseconds at which windows, steps and clocks have their edges, and times in between. */
export function gaps(): fc.Arbitrary<number> {
  const edges = [
    0, 1, 299, 300, 301, 999, 1000, 59_999, 60_000, 60_001, 431_999, 432_000, 86_399_999, 86_400_000,
    86_832_000,
  ];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 700 }) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 40_000 }) },
    { weight: 2, arbitrary: fc.constantFrom(1, 59_999, 60_000) },
    { weight: 3, arbitrary: fc.constantFrom(...edges) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 * DAY_STEP_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 1.5 * DAY.lengthMs }) },
  );
}

/** Small limits, so that few requests reach them. */
export const TINY: readonly RateLimits[] = [
  { perMinute: 3, perDay: 7 },
  { perMinute: 5, perDay: 5 },
  { perMinute: 1, perDay: 20 },
];
/** Limits that take several bursts to reach, so that windows empty bit by bit. */
export const DOZENS: readonly RateLimits[] = [
  { perMinute: 40, perDay: 150 },
  { perMinute: 25, perDay: 90 },
];
export const FREE: readonly RateLimits[] = [free];
export const ENTERPRISE: readonly RateLimits[] = [{ perMinute: 2_500, perDay: 4_000 }];
export const PLANS: readonly RateLimits[] = [...FREE, business, ...ENTERPRISE];

/** One thing that happens to a key, some time after the one before. */
export interface Event {
  /** Milliseconds since the event before. */
  readonly after: number;
  /**
   * A burst of requests at once; a single request after exactly the time that the last refusal told; a look
   * after exactly the time at which the last result promised one more unit in the minute, or in the day.
   */
  readonly kind: 'burst' | 'retry' | 'minuteReset' | 'dayReset';
  /** Of a burst. */
  readonly requests: number;
  /** What holds from this event on. */
  readonly limits: RateLimits;
}

/** Traffic of one key under some limits, adversarial and random. */
export function traffic(
  limits: readonly RateLimits[],
  { events = 60 }: { readonly events?: number } = {},
): fc.Arbitrary<Event[]> {
  const most = Math.max(...limits.map(({ perMinute }) => perMinute));
  return fc.array(
    fc.record({
      after: gaps(),
      kind: fc.constantFrom<Event['kind'][]>('burst', 'burst', 'retry', 'minuteReset', 'dayReset'),
      requests: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: Math.ceil(most * 1.2) })),
      limits: fc.constantFrom(...limits),
    }),
    { minLength: 1, maxLength: events },
  );
}
