import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_BAN_POLICY, Plan, type PlanLimits, type RateLimitSubject } from '../src/index.js';
import type { RateLimitStore } from '../src/decision/rate-limit-store.js';
import { DOZENS, judge, PLANS, type StoreUnderTest, TINY, traffic } from './traffic.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAY_STEP = 432_000;
const free = Plan.limitsOf('free');
const business = Plan.limitsOf('business');
const START = 1_700_000_000_000;

let subjects = 0;
const newKey = (limits: PlanLimits = free): RateLimitSubject => ({
  id: `key:case-${++subjects}`,
  limits,
  bannable: true,
});

/** What every store promises; `runs` is how many random histories each property is tried on. */
export function describeLimitStore(underTest: () => StoreUnderTest, runs: number): void {
  let store: RateLimitStore;
  let now: number;
  const pass = (milliseconds: number) => {
    now += milliseconds;
    underTest().setClock(now);
  };
  const chargeAll = (subject: RateLimitSubject, requests: number) =>
    Promise.all(Array.from({ length: requests }, () => store.charge(subject)));
  const admittedOf = async (subject: RateLimitSubject, requests: number) =>
    (await chargeAll(subject, requests)).filter(({ admitted }) => admitted).length;

  beforeEach(() => {
    ({ store } = underTest());
    now = START;
    pass(0);
  });

  describe('the judge of all admissions finds nothing', () => {
    it('with tiny limits that change all the time', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(TINY), (events) => judge(underTest(), events)),
        { numRuns: runs * 4 },
      );
    });

    it('with limits of some dozens that change all the time', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(DOZENS), (events) => judge(underTest(), events)),
        { numRuns: runs * 6 },
      );
    });

    it('with a clock of microseconds', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(TINY), (events) => judge(underTest(), events, { scale: 1.0007 })),
        { numRuns: runs * 2 },
      );
    });

    it('with a clock that jumps back', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(TINY, { clockJumps: true }), (events) => judge(underTest(), events)),
        { numRuns: runs * 4 },
      );
    });

    it.each(PLANS)('on the plan %s', async (_, limits) => {
      await fc.assert(
        fc.asyncProperty(traffic([limits], { events: 25 }), (events) => judge(underTest(), events)),
        { numRuns: runs },
      );
    });

    it('with plans that change under traffic', async () => {
      await fc.assert(
        fc.asyncProperty(
          traffic(
            PLANS.map(([, limits]) => limits),
            { events: 25 },
          ),
          (events) => judge(underTest(), events),
        ),
        { numRuns: runs },
      );
    });
  });

  it('admits exactly the plan out of 500 requests at once', async () => {
    expect(await admittedOf(newKey(), 500)).toBe(60);
  });

  it('counts down the remaining requests in the order in which they came', async () => {
    const results = await chargeAll(newKey(), 61);
    expect(results.map(({ minuteRemaining }) => minuteRemaining)).toEqual([
      ...Array.from({ length: 60 }, (_, i) => 59 - i),
      0,
    ]);
    expect(results.map(({ dayRemaining }) => dayRemaining).slice(58)).toEqual([941, 940, 940]);
  });

  it('charges nothing for a refused request', async () => {
    const key = newKey();
    await chargeAll(key, 100);
    expect((await store.peek(key)).dayRemaining).toBe(940);
  });

  it('charges nothing for a look', async () => {
    const key = newKey();
    await store.peek(key);
    expect(await store.peek(key)).toMatchObject({ admitted: true, minuteRemaining: 60, minuteResetMs: 0 });
  });

  it('forgets exactly what is a minute old, however much that is', async () => {
    for (let old = 1; old < 60; old++) {
      const key = newKey();
      await chargeAll(key, old);
      pass(1);
      await store.charge(key);
      pass(MINUTE - 1);
      expect((await store.peek(key)).minuteRemaining).toBe(59);
    }
  });

  it('forgets exactly the steps that are a day old, however many they are', async () => {
    const steps = 24;
    for (let old = 1; old < steps; old++) {
      const key = newKey();
      for (let i = 0; i < steps; i++) {
        if (i > 0) pass(DAY_STEP);
        await store.charge(key);
      }
      pass(DAY - (steps - old) * DAY_STEP);
      expect((await store.peek(key)).dayRemaining).toBe(1_000 - (steps - old));
      expect((await store.charge(key)).dayRemaining).toBe(1_000 - (steps - old) - 1);
    }
  });

  it('has no burst around the edge of a clock minute', async () => {
    const key = newKey();
    pass(MINUTE - (now % MINUTE) - 1);
    expect(await admittedOf(key, 60)).toBe(60);
    pass(2);
    expect(await admittedOf(key, 60)).toBe(0);
    pass(MINUTE - 2);
    expect(await admittedOf(key, 60)).toBe(60);
  });

  it('keeps the day when the minute is empty again', async () => {
    const key = newKey();
    for (let minute = 0; minute < 16; minute++) {
      expect(await admittedOf(key, 60)).toBe(60);
      pass(MINUTE);
    }
    expect(await admittedOf(key, 60)).toBe(40);
    pass(MINUTE);
    const refused = await store.charge(key);
    expect(refused.tightestWindow).toMatchObject({ window: { name: 'day' }, limit: 1_000, remaining: 0 });
    expect(refused.retryAfterMs).toBe(refused.dayResetMs);
    // The first 480 s of the day's use fell into two steps, which come back when the last of each is a day old.
    pass(refused.retryAfterMs);
    expect((await store.charge(key)).admitted).toBe(true);
  });

  it('is exact for a day of a request every now and then', async () => {
    const key = newKey({ perMinute: 10, perDay: 3 });
    await store.charge(key);
    pass(1_000_000);
    await store.charge(key);
    pass(1_000_000);
    await store.charge(key);
    expect((await store.charge(key)).retryAfterMs).toBe(DAY - 2_000_000);
  });

  it('lets a larger plan hold from the next request, and forgets nothing', async () => {
    const key = newKey();
    await chargeAll(key, 60);
    const result = await store.charge({ ...key, limits: business });
    expect(result).toMatchObject({ admitted: true, minuteRemaining: 939, dayRemaining: 99_939 });
  });

  it('lets a smaller plan hold from the next request, and says when it has room again', async () => {
    const key = newKey(business);
    for (let i = 0; i < 500; i++) {
      pass(10);
      await store.charge(key);
    }
    const refused = await store.charge({ ...key, limits: free });
    expect(refused.admitted).toBe(false);
    // 441 of the 500 have to go, the last of which came 590 ms ago.
    expect(refused.minuteResetMs).toBe(MINUTE - 590);
    pass(refused.retryAfterMs);
    expect((await store.charge({ ...key, limits: free })).admitted).toBe(true);
  });

  it('names the minute when both windows have the same left, and the later one when both are used up', async () => {
    const key = newKey({ perMinute: 2, perDay: 2 });
    expect((await store.charge(key)).tightestWindow.window.name).toBe('minute');
    expect((await store.charge(key)).tightestWindow.window.name).toBe('day');
  });

  it('admits nobody early when the clock jumps back, and none the more when it returns', async () => {
    const key = newKey();
    await chargeAll(key, 60);
    pass(-60 * MINUTE);
    expect(await store.charge(key)).toMatchObject({ admitted: false, minuteResetMs: 61 * MINUTE });
    pass(60 * MINUTE + 1);
    expect(await admittedOf(key, 1)).toBe(0);
    pass(MINUTE - 1);
    expect(await admittedOf(key, 61)).toBe(60);
  });

  describe('bans', () => {
    const { firstMs } = DEFAULT_BAN_POLICY;
    const offend = async (key: RateLimitSubject, refusals: number) => {
      const results = await chargeAll(key, refusals);
      return results.filter(({ banStarted }) => banStarted).length;
    };

    it('bans at the hundredth refusal within five minutes', async () => {
      const key = newKey();
      await chargeAll(key, 60);
      expect(await offend(key, 99)).toBe(0);
      const result = await store.charge(key);
      expect(result).toMatchObject({
        banStarted: true,
        refusal: 'api_key_temporarily_banned',
        retryAfterMs: firstMs,
      });
      expect(result.tightestWindow).toMatchObject({ remaining: 0, resetMs: firstMs });
      expect(await store.banOf(key.id)).toEqual({ remainingMs: firstMs, count: 1 });
    });

    it('bans only one of many refusals at once, and calls those before it what they were', async () => {
      const key = newKey();
      const results = await chargeAll(key, 260);
      expect(results.map(({ refusal }) => refusal)).toEqual([
        ...Array.from({ length: 60 }, () => undefined),
        ...Array.from({ length: 99 }, () => 'rate_limit_exceeded'),
        ...Array.from({ length: 101 }, () => 'api_key_temporarily_banned'),
      ]);
      expect(results.filter(({ banStarted }) => banStarted)).toHaveLength(1);
    });

    it('waits for as many refusals as the minute limit of a greater plan', async () => {
      const key = newKey(business);
      await chargeAll(key, 1_000);
      expect(await offend(key, 999)).toBe(0);
      expect(await offend(key, 1)).toBe(1);
    });

    it('does not ban for as many refusals in a longer time', async () => {
      const key = newKey({ perMinute: 1, perDay: 1 });
      await store.charge(key);
      for (let i = 0; i < 500; i++) {
        pass(3_200);
        expect(await offend(key, 1)).toBe(0);
      }
    });

    it('is not lengthened by requests, and over when it said', async () => {
      const key = newKey();
      await chargeAll(key, 160);
      pass(firstMs / 2);
      await chargeAll(key, 200);
      pass(firstMs / 2 - 1);
      expect(await store.charge(key)).toMatchObject({ admitted: false, banMs: 1 });
      pass(1);
      expect(await store.charge(key)).toMatchObject({ admitted: true, banMs: 0 });
    });

    it('is three times as long each time, at most a day, and short again after a day without', async () => {
      const key = newKey({ perMinute: 60, perDay: 1_000_000 });
      const minutes: number[] = [];
      for (let i = 0; i < 9; i++) {
        const last = (await chargeAll(key, 160)).at(-1);
        minutes.push((last?.banMs ?? 0) / MINUTE);
        pass(last?.retryAfterMs ?? 0);
      }
      expect(minutes).toEqual([5, 15, 45, 135, 405, 1_215, 1_440, 1_440, 1_440]);
      pass(DAY + 1);
      expect((await chargeAll(key, 160)).at(-1)?.banMs).toBe(firstMs);
    });

    it('tells the longer wait when the day is used up, too', async () => {
      const key = newKey({ perMinute: 10, perDay: 10 });
      const result = (await chargeAll(key, 110)).at(-1);
      expect(result).toMatchObject({ refusal: 'api_key_temporarily_banned', retryAfterMs: DAY });
    });

    it('can be lifted, with all that led to it', async () => {
      const key = newKey();
      await chargeAll(key, 160);
      expect(await store.liftBan(key.id)).toBe(true);
      expect(await store.banOf(key.id)).toBeUndefined();
      expect(await store.charge(key)).toMatchObject({ refusal: 'rate_limit_exceeded' });
      expect((await chargeAll(key, 99)).at(-1)).toMatchObject({ banStarted: true, banMs: firstMs });
      expect(await store.liftBan('key:unknown')).toBe(false);
    });

    it('never meets an address', async () => {
      const address = { ...newKey(), bannable: false };
      const results = await chargeAll(address, 500);
      expect(results.filter(({ refusal }) => refusal === 'rate_limit_exceeded')).toHaveLength(440);
    });
  });
}
