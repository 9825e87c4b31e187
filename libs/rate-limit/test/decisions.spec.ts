import { describe, expect, it } from '@jest/globals';
import { DAY, DEFAULT_BAN_POLICY, MINUTE, type RateLimitSubject } from '../src/index.js';
import { describeBoth, START } from './limiter-on-clock.js';
import { business, free, newKey } from './requests.js';

const MINUTE_MS = MINUTE.lengthMs;
const DAY_MS = DAY.lengthMs;
const BAN_MS = DEFAULT_BAN_POLICY.firstMs;

describeBoth((clocked) => {
  const { pass, consumeAll } = clocked;

  describe('in its windows', () => {
    it('counts down in the order in which requests came, and admits just the plan', async () => {
      const results = await consumeAll(newKey(), 100);
      expect(results.slice(0, 61).map(({ minute }) => minute.remaining)).toEqual([
        ...Array.from({ length: 60 }, (_, i) => 59 - i),
        0,
      ]);
      expect(results.map(({ day }) => day.remaining).slice(58, 61)).toEqual([941, 940, 940]);
      expect(results.filter(({ admitted }) => admitted)).toHaveLength(60);
    });

    it('gives a first request its unit back after exactly the length of each window', async () => {
      clocked.now = START + 0.456;
      expect(await clocked.limiter.consume(newKey())).toMatchObject({
        minute: { resetMs: MINUTE_MS },
        day: { resetMs: DAY_MS },
      });
    });

    it('consumes nothing for a refused request, and nothing for a look', async () => {
      const key = newKey();
      const untouched = { admitted: true, minute: { remaining: 60, resetMs: 0 } };
      expect(await clocked.limiter.inspect(key)).toMatchObject(untouched);
      await consumeAll(key, 100);
      const refused = { admitted: false, minute: { remaining: 0 }, day: { remaining: 940 } };
      expect(await clocked.limiter.inspect(key)).toMatchObject(refused);
    });

    it('holds a smaller plan from the next request on, and says when it has room again', async () => {
      const key = newKey(business);
      for (let i = 0; i < 100; i++) {
        pass(50);
        await consumeAll(key, 5);
      }
      const refused = await clocked.limiter.consume({ ...key, limits: free });
      expect(refused.admitted).toBe(false);
      // 441 of the 500 have to go, the last of which came 550 ms ago, and others of its step after it.
      expect(refused.minute.resetMs).toBeGreaterThanOrEqual(MINUTE_MS - 550);
      expect(refused.minute.resetMs).toBeLessThanOrEqual(MINUTE_MS - 250);
      pass(refused.retryAfterMs);
      expect((await clocked.limiter.consume({ ...key, limits: free })).admitted).toBe(true);
    });

    it('names the minute when both have the same left, and the later one when both are used up', async () => {
      const key = newKey({ perMinute: 2, perDay: 2 });
      expect((await clocked.limiter.consume(key)).tightestWindow.window.name).toBe('minute');
      expect((await clocked.limiter.consume(key)).tightestWindow.window.name).toBe('day');
    });

    it.each([[0], [1.5], [-1], [Number.NaN], [1_000_000_000]])('refuses %d as a limit', async (limit) => {
      for (const limits of [
        { perMinute: limit, perDay: 1 },
        { perMinute: 1, perDay: limit },
      ])
        await expect(clocked.limiter.consume(newKey(limits))).rejects.toThrow(RangeError);
    });
  });

  describe('for several subjects at once', () => {
    const shareOf = (key: RateLimitSubject, visitor: number, perMinute: number): RateLimitSubject => ({
      id: `visitor:${visitor}`,
      limits: { perMinute, perDay: 1_000 },
      partOf: key.id,
    });

    it('consumes from all or from none, and the first that refuses decides', async () => {
      const key = newKey({ perMinute: 5, perDay: 100 });
      const [one, other] = [shareOf(key, 1, 3), shareOf(key, 2, 3)];
      const consume = (...subjects: RateLimitSubject[]) =>
        Promise.all(Array.from({ length: 4 }, () => clocked.limiter.consume(subjects)));
      expect(
        (await consume(one, key)).map(({ admitted, subject, minute }) => [
          admitted,
          subject.id,
          minute.remaining,
        ]),
      ).toEqual([
        [true, key.id, 4],
        [true, key.id, 3],
        [true, key.id, 2],
        [false, one.id, 0],
      ]);
      expect((await consume(other, key)).map(({ admitted, subject }) => [admitted, subject.id])).toEqual([
        [true, key.id],
        [true, key.id],
        [false, key.id],
        [false, key.id],
      ]);
      expect((await clocked.limiter.inspect(key)).minute.used).toBe(5);
      expect((await clocked.limiter.inspect(other)).minute.used).toBe(2);
    });

    it('tells subjects apart whose ids read like others', async () => {
      const [one, other] = [newKey(), newKey()];
      const named = { ...newKey(), id: `${one.id} 60 1000 true ${other.id}` };
      await Promise.all([clocked.limiter.consume([one, other]), clocked.limiter.consume(named)]);
      for (const subject of [one, other, named])
        expect(await clocked.limiter.inspect(subject)).toMatchObject({ minute: { used: 1 } });
    });

    it('counts refusals for the subject that refused, and bans that alone', async () => {
      const key = newKey({ perMinute: 1_000, perDay: 1_000 });
      const share = shareOf(key, 3, 1);
      const refused = await Promise.all(
        Array.from({ length: 1_200 }, () => clocked.limiter.consume([share, key])),
      );
      expect(refused.filter(({ banMs }) => banMs > 0)).toEqual([]);
      expect(await clocked.limiter.consume(key)).toMatchObject({ admitted: true, day: { remaining: 998 } });
    });
  });

  describe('with its bans', () => {
    /** How many of so many refusals bring a ban. */
    const bansAfter = async (key: RateLimitSubject, refusals: number): Promise<number> =>
      (await consumeAll(key, refusals)).filter(({ banStarted }) => banStarted).length;

    it('bans at the hundredth refusal within five minutes', async () => {
      const key = newKey();
      await consumeAll(key, 60);
      expect(await bansAfter(key, 99)).toBe(0);
      const result = await clocked.limiter.consume(key);
      expect(result).toMatchObject({
        banStarted: true,
        refusal: 'api_key_temporarily_banned',
        retryAfterMs: BAN_MS,
      });
      expect(result.tightestWindow).toMatchObject({ remaining: 0, resetMs: BAN_MS });
      expect(await clocked.limiter.inspect(key)).toMatchObject({ banMs: BAN_MS, bans: 1 });
    });

    it('begins one ban with many refusals at once, and calls those before it what they were', async () => {
      const results = await consumeAll(newKey(), 260);
      expect(results.map(({ refusal }) => refusal)).toEqual([
        ...Array.from({ length: 60 }, () => undefined),
        ...Array.from({ length: 99 }, () => 'rate_limit_exceeded'),
        ...Array.from({ length: 101 }, () => 'api_key_temporarily_banned'),
      ]);
      expect(results.filter(({ banStarted }) => banStarted)).toHaveLength(1);
    });

    it('waits for as many refusals as the minute limit of a greater plan', async () => {
      const key = newKey(business);
      await consumeAll(key, 1_000);
      expect(await bansAfter(key, 999)).toBe(0);
      expect(await bansAfter(key, 1)).toBe(1);
    });

    it('counts refusals in five minutes that begin with the first', async () => {
      const key = newKey({ perMinute: 1, perDay: 1 });
      await consumeAll(key, 2);
      pass(299_000);
      expect(await bansAfter(key, 98)).toBe(0);
      pass(1_000);
      expect(await bansAfter(key, 99)).toBe(0);
      pass(299_999);
      expect(await bansAfter(key, 1)).toBe(1);
    });

    it('ends a ban when it said, whatever is sent meanwhile', async () => {
      const key = newKey();
      await consumeAll(key, 160);
      pass(BAN_MS / 2);
      await consumeAll(key, 200);
      pass(BAN_MS / 2 - 1);
      expect(await clocked.limiter.consume(key)).toMatchObject({ admitted: false, banMs: 1 });
      pass(1);
      expect(await clocked.limiter.consume(key)).toMatchObject({ admitted: true, banMs: 0 });
    });

    it('bans three times as long each time, at most a day, and shortly again after a day without', async () => {
      const key = newKey({ perMinute: 60, perDay: 1_000_000 });
      const minutes: number[] = [];
      for (let i = 0; i < 9; i++) {
        const last = (await consumeAll(key, 160)).at(-1);
        minutes.push((last?.banMs ?? 0) / MINUTE_MS);
        pass(last?.retryAfterMs ?? 0);
      }
      expect(minutes).toEqual([5, 15, 45, 135, 405, 1_215, 1_440, 1_440, 1_440]);
      pass(DAY_MS + 1);
      expect((await consumeAll(key, 160)).at(-1)?.banMs).toBe(BAN_MS);
    });

    it('tells the longer wait when the day is used up, too', async () => {
      const result = (await consumeAll(newKey({ perMinute: 10, perDay: 10 }), 110)).at(-1);
      expect(result).toMatchObject({ refusal: 'api_key_temporarily_banned', retryAfterMs: DAY_MS });
    });

    it('lifts a ban, with all that led to it', async () => {
      const key = newKey();
      await consumeAll(key, 160);
      expect(await clocked.limiter.liftBan(key.id)).toBe(true);
      expect(await clocked.limiter.inspect(key)).toMatchObject({ banMs: 0, bans: 0 });
      expect(await clocked.limiter.consume(key)).toMatchObject({ refusal: 'rate_limit_exceeded' });
      expect((await consumeAll(key, 99)).at(-1)).toMatchObject({ banStarted: true, banMs: BAN_MS });
      expect(await clocked.limiter.liftBan('key:unknown')).toBe(false);
    });

    it('never bans what cannot be banned, such as an address', async () => {
      const results = await consumeAll({ ...newKey(), bannable: false }, 500);
      expect(results.filter(({ refusal }) => refusal === 'rate_limit_exceeded')).toHaveLength(440);
    });
  });
});
