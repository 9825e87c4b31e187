import fc from 'fast-check';
import { type PlanLimits, Plan, type RateLimitResult } from '../src/index.js';
import type { RateLimitStore } from '../src/decision/rate-limit-store.js';
import { DAY, MINUTE } from '../src/policy/rate-limit-window.js';
import { AdmissionLog } from './admission-log.js';

/** One thing that happens to a key, some time after the one before. */
export interface Event {
  /** Milliseconds since the event before. */
  readonly after: number;
  /**
   * A burst of requests at once; a single request after exactly the time that the last refusal told; a look
   * after exactly the time at which the last result promised one more unit in the minute, or in the day.
   */
  readonly kind: 'burst' | 'retry' | 'minuteReset' | 'dayReset';
  readonly requests: number;
  /** Which of the limits hold from this event on. */
  readonly limits: PlanLimits;
  /** Milliseconds by which the limiter's clock jumps back before the event. */
  readonly jumpBack: number;
}

/** Times at which windows, steps and clocks have their edges, and times in between. */
export function gaps(): fc.Arbitrary<number> {
  const edges = [
    0, 1, 999, 1000, 59_999, 60_000, 60_001, 431_999, 432_000, 86_399_999, 86_400_000, 86_832_000,
  ];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 40_000 }) },
    { weight: 2, arbitrary: fc.constantFrom(1, 59_999, 60_000) },
    { weight: 3, arbitrary: fc.constantFrom(...edges) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 * DAY.stepMs }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 1.5 * DAY.lengthMs }) },
  );
}

/** Traffic of one key under some limits, adversarial and random. */
export function traffic(
  limits: readonly PlanLimits[],
  { events = 60, clockJumps = false }: { events?: number; clockJumps?: boolean } = {},
): fc.Arbitrary<Event[]> {
  const most = Math.max(...limits.map(({ perMinute }) => perMinute));
  return fc.array(
    fc.record({
      after: gaps(),
      kind: fc.constantFrom('burst' as const, 'burst' as const, 'retry' as const, 'minuteReset', 'dayReset'),
      requests: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: Math.ceil(most * 1.2) })),
      limits: fc.constantFrom(...limits),
      jumpBack: clockJumps
        ? fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: gaps() })
        : fc.constant(0),
    }),
    { minLength: 1, maxLength: events },
  );
}

/** Small limits, so that few requests reach them, and the four plans. */
export const TINY: readonly PlanLimits[] = [
  { perMinute: 3, perDay: 7 },
  { perMinute: 5, perDay: 5 },
  { perMinute: 1, perDay: 20 },
];
/** Limits that take several bursts to reach, so that windows empty bit by bit. */
export const DOZENS: readonly PlanLimits[] = [
  { perMinute: 40, perDay: 150 },
  { perMinute: 25, perDay: 90 },
];
export const ENTERPRISE: PlanLimits = { perMinute: 2_500, perDay: 4_000 };
export const PLANS: readonly (readonly [string, PlanLimits])[] = [
  ['free', Plan.limitsOf('free')],
  ['pro', Plan.limitsOf('pro')],
  ['business', Plan.limitsOf('business')],
  ['enterprise', ENTERPRISE],
];

/** A store whose clock the test turns. */
export interface StoreUnderTest {
  readonly store: RateLimitStore;
  readonly setClock: (now: number) => void;
}

let subjects = 0;

/**
 * Sends the traffic to a subject of its own and has every result judged.
 *
 * `scale` stretches the times, so that they fall between milliseconds; `disturb` is called before each event.
 *
 * @throws Error telling the first result that breaks a promise.
 */
export async function judge(
  { store, setClock }: StoreUnderTest,
  events: readonly Event[],
  { scale = 1, disturb }: { scale?: number; disturb?: () => Promise<void> } = {},
): Promise<void> {
  const id = `key:${++subjects}`;
  const log = new AdmissionLog(scale === 1 ? 0 : 1);
  // True time and the clock's; the clock only ever falls behind.
  let time = 1_700_000_000_000;
  let skew = 0;
  let last: RateLimitResult | undefined;

  const fail = (flaw: string | undefined, event: Event) => {
    if (flaw !== undefined) throw new Error(`${flaw}, at ${JSON.stringify({ event, time, skew })}`);
  };
  const pass = (milliseconds: number) => {
    time += milliseconds;
    setClock(time - skew);
  };

  for (const event of events) {
    await disturb?.();
    pass(event.after * scale);
    skew += event.jumpBack;
    setClock(time - skew);
    const { limits } = event;
    const subject = { id, limits, bannable: false };
    if (event.kind === 'burst') {
      const results = await Promise.all(Array.from({ length: event.requests }, () => store.charge(subject)));
      for (const result of results) {
        if (result.admitted) fail(log.admit(time, limits), event);
        else if (skew === 0) fail(log.refuse(time, limits), event);
      }
      const firstRefusal = results.findIndex(({ admitted }) => !admitted);
      if (firstRefusal >= 0 && results.slice(firstRefusal).some(({ admitted }) => admitted)) {
        fail('admitted after a refusal at the same moment', event);
      }
      last = results.at(-1);
      if (last && skew === 0) fail(log.check(time, last), event);
    } else if (event.kind === 'retry') {
      const refused = await store.peek(subject);
      if (refused.admitted) continue;
      if (refused.retryAfterMs === 0) fail('refused without a wait', event);
      pass(refused.retryAfterMs);
      last = await store.charge(subject);
      if (!last.admitted)
        fail(`refused after the ${refused.retryAfterMs} ms that it was told to wait`, event);
      fail(log.admit(time, limits), event);
    } else {
      const before = await store.peek(subject);
      const minute = event.kind === 'minuteReset';
      const reset = minute ? before.minuteResetMs : before.dayResetMs;
      if (reset === 0) continue;
      if (skew === 0 && reset > (minute ? MINUTE.lengthMs : DAY.lengthMs) + 1)
        fail(`a reset in ${reset} ms`, event);
      pass(reset);
      last = await store.peek(subject);
      const [now, then] = minute
        ? [last.minuteRemaining, before.minuteRemaining]
        : [last.dayRemaining, before.dayRemaining];
      if (now <= then) fail(`${now} remaining at the reset, ${then} before`, event);
    }
  }
}
