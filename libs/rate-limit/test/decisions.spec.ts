import { describe, expect, it } from '@jest/globals';
import { DAY, DEFAULT_BAN_POLICY, MINUTE, Plan, type RateLimitSubject } from '../src/index.js';
import { SubjectCounters } from '../src/local/subject-counters.js';
import { describeBoth, START } from './limiter-on-clock.js';
import { admittedOf, free, newKey } from './requests.js';

const MINUTE_MS = MINUTE.lengthMs;
const DAY_MS = DAY.lengthMs;
const BAN_MS = DEFAULT_BAN_POLICY.firstMs;

describe('a plan', () => {
  it('has the limits of the specification', () => {
    expect(Plan.ALL.filter((name) => Plan.isFixed(name)).map((name) => [name, Plan.limitsOf(name)])).toEqual([
      ['free', { perMinute: 60, perDay: 1_000 }],
      ['pro', { perMinute: 300, perDay: 10_000 }],
      ['business', { perMinute: 1_000, perDay: 100_000 }],
    ]);
  });

  it('is found by its exact name', () => {
    for (const name of ['free', 'pro', 'business', 'enterprise']) expect(Plan.parse(name)).toBe(name);
    for (const name of ['', 'Free', 'free ', 'premium']) expect(Plan.parse(name)).toBeUndefined();
  });

  it('can have whole numbers from 1 to 999,999,999 as limits of an enterprise key', () => {
    for (const value of [1, 999_999_999]) expect(Plan.isLimit(value)).toBe(true);
    for (const value of [0, -1, 1.5, Number.NaN, 1_000_000_000]) expect(Plan.isLimit(value)).toBe(false);
  });
});

describe('the counters of a subject', () => {
  it('keep nothing of refusals for requests that are admitted, nor for a look', () => {
    const [strict, lenient] = [DEFAULT_BAN_POLICY, undefined].map((policy) => {
      const counters = new SubjectCounters(policy);
      for (const wanted of [1, 59, 0]) counters.charge(START * 1_000, newKey(), wanted);
      return counters.size;
    });
    expect(strict).toBe(lenient);
  });
});

describeBoth((clocked) => {
  const { pass, chargeAll } = clocked;

  describe('in its windows', () => {
    it('counts down in the order in which requests came, and admits just the plan', async () => {
      const results = await chargeAll(newKey(), 100);
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
        minute: { resetMs: MINUTE_MS },
        day: { resetMs: DAY_MS },
      });
    });

    it('charges nothing for a refused request, and nothing for a look', async () => {
      const key = newKey();
      const untouched = { admitted: true, minute: { remaining: 60, resetMs: 0 } };
      expect(await clocked.limiter.peek(key)).toMatchObject(untouched);
      await chargeAll(key, 100);
      const refused = { admitted: false, minute: { remaining: 0 }, day: { remaining: 940 } };
      expect(await clocked.limiter.peek(key)).toMatchObject(refused);
    });

    it('holds a smaller plan from the next request on, and says when it has room again', async () => {
      const key = newKey(Plan.limitsOf('business'));
      for (let i = 0; i < 100; i++) {
        pass(50);
        await chargeAll(key, 5);
      }
      const refused = await clocked.limiter.charge({ ...key, limits: free });
      expect(refused.admitted).toBe(false);
      // 441 of the 500 have to go, the last of which came 550 ms ago, and others of its step after it.
      expect(refused.minute.resetMs).toBeGreaterThanOrEqual(MINUTE_MS - 550);
      expect(refused.minute.resetMs).toBeLessThanOrEqual(MINUTE_MS - 250);
      pass(refused.retryAfterMs);
      expect((await clocked.limiter.charge({ ...key, limits: free })).admitted).toBe(true);
    });

    it('names the minute when both have the same left, and the later one when both are used up', async () => {
      const key = newKey({ perMinute: 2, perDay: 2 });
      expect((await clocked.limiter.charge(key)).tightestWindow.window.name).toBe('minute');
      expect((await clocked.limiter.charge(key)).tightestWindow.window.name).toBe('day');
    });

    it('admits at most a second plan when the clock is set forward and back', async () => {
      const key = newKey();
      let admitted = 0;
      for (const by of [0, 60 * MINUTE_MS, -60 * MINUTE_MS, 1_000, 1_000]) {
        pass(by);
        admitted += await admittedOf(clocked.limiter, key, 100);
      }
      expect(admitted).toBeLessThanOrEqual(120);
    });
  });

  describe('with its bans', () => {
    /** How many of so many refusals bring a ban. */
    const bansAfter = async (key: RateLimitSubject, refusals: number): Promise<number> =>
      (await chargeAll(key, refusals)).filter(({ banStarted }) => banStarted).length;

    it('bans at the hundredth refusal within five minutes', async () => {
      const key = newKey();
      await chargeAll(key, 60);
      expect(await bansAfter(key, 99)).toBe(0);
      const result = await clocked.limiter.charge(key);
      expect(result).toMatchObject({
        banStarted: true,
        refusal: 'api_key_temporarily_banned',
        retryAfterMs: BAN_MS,
      });
      expect(result.tightestWindow).toMatchObject({ remaining: 0, resetMs: BAN_MS });
      expect(await clocked.limiter.peek(key)).toMatchObject({ banMs: BAN_MS, bans: 1 });
    });

    it('begins one ban with many refusals at once, and calls those before it what they were', async () => {
      const results = await chargeAll(newKey(), 260);
      expect(results.map(({ refusal }) => refusal)).toEqual([
        ...Array.from({ length: 60 }, () => undefined),
        ...Array.from({ length: 99 }, () => 'rate_limit_exceeded'),
        ...Array.from({ length: 101 }, () => 'api_key_temporarily_banned'),
      ]);
      expect(results.filter(({ banStarted }) => banStarted)).toHaveLength(1);
    });

    it('waits for as many refusals as the minute limit of a greater plan', async () => {
      const key = newKey(Plan.limitsOf('business'));
      await chargeAll(key, 1_000);
      expect(await bansAfter(key, 999)).toBe(0);
      expect(await bansAfter(key, 1)).toBe(1);
    });

    it('bans for refusals that lie minutes apart, and not for as many in a longer time', async () => {
      const apart = newKey({ perMinute: 1, perDay: 1 });
      await clocked.limiter.charge(apart);
      expect(await bansAfter(apart, 1)).toBe(0);
      pass(60_000);
      expect(await bansAfter(apart, 60)).toBe(0);
      pass(290_000);
      expect(await bansAfter(apart, 60)).toBe(1);
      const slow = newKey({ perMinute: 1, perDay: 1 });
      await clocked.limiter.charge(slow);
      for (let i = 0; i < 15; i++) {
        pass(35_000);
        expect(await bansAfter(slow, 10)).toBe(0);
      }
    });

    it('ends a ban when it said, whatever is sent meanwhile', async () => {
      const key = newKey();
      await chargeAll(key, 160);
      pass(BAN_MS / 2);
      await chargeAll(key, 200);
      pass(BAN_MS / 2 - 1);
      expect(await clocked.limiter.charge(key)).toMatchObject({ admitted: false, banMs: 1 });
      pass(1);
      expect(await clocked.limiter.charge(key)).toMatchObject({ admitted: true, banMs: 0 });
    });

    it('bans three times as long each time, at most a day, and shortly again after a day without', async () => {
      const key = newKey({ perMinute: 60, perDay: 1_000_000 });
      const minutes: number[] = [];
      for (let i = 0; i < 9; i++) {
        const last = (await chargeAll(key, 160)).at(-1);
        minutes.push((last?.banMs ?? 0) / MINUTE_MS);
        pass(last?.retryAfterMs ?? 0);
      }
      expect(minutes).toEqual([5, 15, 45, 135, 405, 1_215, 1_440, 1_440, 1_440]);
      pass(DAY_MS + 1);
      expect((await chargeAll(key, 160)).at(-1)?.banMs).toBe(BAN_MS);
    });

    it('tells the longer wait when the day is used up, too', async () => {
      const result = (await chargeAll(newKey({ perMinute: 10, perDay: 10 }), 110)).at(-1);
      expect(result).toMatchObject({ refusal: 'api_key_temporarily_banned', retryAfterMs: DAY_MS });
    });

    it('lifts a ban, with all that led to it', async () => {
      const key = newKey();
      await chargeAll(key, 160);
      expect(await clocked.limiter.liftBan(key.id)).toBe(true);
      expect(await clocked.limiter.peek(key)).toMatchObject({ banMs: 0, bans: 0 });
      expect(await clocked.limiter.charge(key)).toMatchObject({ refusal: 'rate_limit_exceeded' });
      expect((await chargeAll(key, 99)).at(-1)).toMatchObject({ banStarted: true, banMs: BAN_MS });
      expect(await clocked.limiter.liftBan('key:unknown')).toBe(false);
    });

    it('never bans what cannot be banned, such as an address', async () => {
      const results = await chargeAll({ ...newKey(), bannable: false }, 500);
      expect(results.filter(({ refusal }) => refusal === 'rate_limit_exceeded')).toHaveLength(440);
    });
  });
});
