import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { judge } from './judge.js';
import { business, DAY, describeBoth, MINUTE, START } from './limiter-on-clock.js';
import { free, newKey } from './requests.js';
import { DOZENS, PLANS, TINY, traffic } from './traffic.js';

describeBoth((clocked) => {
  const { pass, chargeAll, admittedOf } = clocked;
  /** Random histories of each property. */
  const runs = clocked.place === 'Redis' ? 15 : 60;

  it.each([
    ['tiny limits that change all the time', TINY, {}, {}],
    ['limits of some dozens that change all the time', DOZENS, {}, {}],
    ['a clock of microseconds', TINY, {}, { scale: 1.0007 }],
    ['a clock that jumps back', TINY, { clockJumps: true }, {}],
    ...PLANS.map(([name, limits]) => [`the plan ${name}`, [limits], { events: 25 }, {}] as const),
    ['plans that change under traffic', PLANS.map(([, limits]) => limits), { events: 25 }, {}],
  ])('passes the judge of all admissions with %s', async (_, limits, shape, options) => {
    await fc.assert(
      fc.asyncProperty(traffic(limits, shape), (events) => judge(clocked, events, options)),
      { numRuns: runs },
    );
  });

  it('counts down the remaining requests in the order in which they came, and admits just the plan', async () => {
    const results = await chargeAll(newKey(), 500);
    expect(results.slice(0, 61).map(({ minute }) => minute.remaining)).toEqual([
      ...Array.from({ length: 60 }, (_, i) => 59 - i),
      0,
    ]);
    expect(results.map(({ day }) => day.remaining).slice(58, 61)).toEqual([941, 940, 940]);
    expect(results.filter(({ admitted }) => admitted)).toHaveLength(60);
  });

  it('gives a first request its unit back after exactly the length of each window', async () => {
    clocked.now = START + 0.456;
    expect(await clocked.limiter.charge(newKey())).toMatchObject({
      minute: { resetMs: MINUTE },
      day: { resetMs: DAY },
    });
  });

  it('charges nothing for a refused request, and nothing for a look', async () => {
    const key = newKey();
    expect(await clocked.limiter.peek(key)).toMatchObject({
      admitted: true,
      minute: { remaining: 60, resetMs: 0 },
    });
    await chargeAll(key, 100);
    expect(await clocked.limiter.peek(key)).toMatchObject({
      minute: { remaining: 0 },
      day: { remaining: 940 },
    });
  });

  it('has no burst around the edge of a clock minute', async () => {
    const key = newKey();
    pass(MINUTE - (clocked.now % MINUTE) - 1);
    expect(await admittedOf(key, 60)).toBe(60);
    pass(2);
    expect(await admittedOf(key, 60)).toBe(0);
    pass(MINUTE - 2);
    expect(await admittedOf(key, 60)).toBe(60);
  });

  it('lets a smaller plan hold from the next request, and says when it has room again', async () => {
    const key = newKey(business);
    for (let i = 0; i < 500; i++) {
      pass(10);
      await clocked.limiter.charge(key);
    }
    const refused = await clocked.limiter.charge({ ...key, limits: free });
    expect(refused.admitted).toBe(false);
    // 441 of the 500 have to go, the last of which came 590 ms ago, and others of its step after it.
    expect(refused.minute.resetMs).toBeGreaterThanOrEqual(MINUTE - 590);
    expect(refused.minute.resetMs).toBeLessThanOrEqual(MINUTE - 290);
    pass(refused.retryAfterMs);
    expect((await clocked.limiter.charge({ ...key, limits: free })).admitted).toBe(true);
  });

  it('names the minute when both windows have the same left, and the later one when both are used up', async () => {
    const key = newKey({ perMinute: 2, perDay: 2 });
    expect((await clocked.limiter.charge(key)).tightestWindow.window.name).toBe('minute');
    expect((await clocked.limiter.charge(key)).tightestWindow.window.name).toBe('day');
  });

  it.each([-60 * MINUTE, -DAY])(
    'locks nobody out when the clock is set by %i ms, and admits nobody early',
    async (by) => {
      const key = newKey();
      await chargeAll(key, 60);
      pass(by);
      expect(await clocked.limiter.charge(key)).toMatchObject({
        admitted: false,
        minute: { resetMs: MINUTE },
      });
      pass(MINUTE - 1);
      expect(await admittedOf(key, 1)).toBe(0);
      pass(1);
      expect(await admittedOf(key, 61)).toBe(60);
    },
  );

  it('admits at most a second plan when the clock is set forward and back', async () => {
    const key = newKey();
    let admitted = 0;
    for (const by of [0, 60 * MINUTE, -60 * MINUTE, 1_000, 1_000]) {
      pass(by);
      admitted += await admittedOf(key, 100);
    }
    expect(admitted).toBeLessThanOrEqual(120);
  });
});
