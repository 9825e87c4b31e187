import { expect, it } from '@jest/globals';
import { business, DAY, free, MINUTE, newKey, StoreOnClock } from './store-on-clock.js';
import { describeAdmissions } from './admissions.cases.js';
import { describeBans } from './bans.cases.js';
import type { StoreUnderTest } from './traffic.js';

const DAY_STEP = 432_000;

/** What every store promises; `runs` is how many random histories each property is tried on. */
export function describeLimitStore(underTest: () => StoreUnderTest, runs: number): void {
  const clock = new StoreOnClock(underTest);
  const { pass, chargeAll, admittedOf } = clock;

  describeAdmissions(underTest, runs);
  describeBans(clock);

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
    expect((await clock.store.peek(key)).dayRemaining).toBe(940);
  });

  it('charges nothing for a look', async () => {
    const key = newKey();
    await clock.store.peek(key);
    expect(await clock.store.peek(key)).toMatchObject({
      admitted: true,
      minuteRemaining: 60,
      minuteResetMs: 0,
    });
  });

  it('forgets exactly what is a minute old, however much that is', async () => {
    for (let old = 1; old < 60; old++) {
      const key = newKey();
      await chargeAll(key, old);
      pass(1);
      await clock.store.charge(key);
      pass(MINUTE - 1);
      expect((await clock.store.peek(key)).minuteRemaining).toBe(59);
    }
  });

  it('forgets exactly the steps that are a day old, however many they are', async () => {
    const steps = 24;
    for (let old = 1; old < steps; old++) {
      const key = newKey();
      for (let i = 0; i < steps; i++) {
        if (i > 0) pass(DAY_STEP);
        await clock.store.charge(key);
      }
      pass(DAY - (steps - old) * DAY_STEP);
      expect((await clock.store.peek(key)).dayRemaining).toBe(1_000 - (steps - old));
      expect((await clock.store.charge(key)).dayRemaining).toBe(1_000 - (steps - old) - 1);
    }
  });

  it('has no burst around the edge of a clock minute', async () => {
    const key = newKey();
    pass(MINUTE - (clock.now % MINUTE) - 1);
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
    const refused = await clock.store.charge(key);
    expect(refused.tightestWindow).toMatchObject({ window: { name: 'day' }, limit: 1_000, remaining: 0 });
    expect(refused.retryAfterMs).toBe(refused.dayResetMs);
    // The first 480 s of the day's use fell into two steps, which come back when the last of each is a day old.
    pass(refused.retryAfterMs);
    expect((await clock.store.charge(key)).admitted).toBe(true);
  });

  it('is exact for a day of a request every now and then', async () => {
    const key = newKey({ perMinute: 10, perDay: 3 });
    await clock.store.charge(key);
    pass(1_000_000);
    await clock.store.charge(key);
    pass(1_000_000);
    await clock.store.charge(key);
    expect((await clock.store.charge(key)).retryAfterMs).toBe(DAY - 2_000_000);
  });

  it('lets a larger plan hold from the next request, and forgets nothing', async () => {
    const key = newKey();
    await chargeAll(key, 60);
    const result = await clock.store.charge({ ...key, limits: business });
    expect(result).toMatchObject({ admitted: true, minuteRemaining: 939, dayRemaining: 99_939 });
  });

  it('lets a smaller plan hold from the next request, and says when it has room again', async () => {
    const key = newKey(business);
    for (let i = 0; i < 500; i++) {
      pass(10);
      await clock.store.charge(key);
    }
    const refused = await clock.store.charge({ ...key, limits: free });
    expect(refused.admitted).toBe(false);
    // 441 of the 500 have to go, the last of which came 590 ms ago.
    expect(refused.minuteResetMs).toBe(MINUTE - 590);
    pass(refused.retryAfterMs);
    expect((await clock.store.charge({ ...key, limits: free })).admitted).toBe(true);
  });

  it('names the minute when both windows have the same left, and the later one when both are used up', async () => {
    const key = newKey({ perMinute: 2, perDay: 2 });
    expect((await clock.store.charge(key)).tightestWindow.window.name).toBe('minute');
    expect((await clock.store.charge(key)).tightestWindow.window.name).toBe('day');
  });

  it('admits nobody early when the clock jumps back, and none the more when it returns', async () => {
    const key = newKey();
    await chargeAll(key, 60);
    pass(-60 * MINUTE);
    expect(await clock.store.charge(key)).toMatchObject({ admitted: false, minuteResetMs: 61 * MINUTE });
    pass(60 * MINUTE + 1);
    expect(await admittedOf(key, 1)).toBe(0);
    pass(MINUTE - 1);
    expect(await admittedOf(key, 61)).toBe(60);
  });
}
