import { expect, it } from '@jest/globals';
import { DEFAULT_BAN_POLICY, type RateLimitSubject } from '../src/index.js';
import { business, DAY, describeBoth, MINUTE } from './limiter-on-clock.js';
import { newKey } from './requests.js';

describeBoth((clocked) => {
  const { pass, chargeAll } = clocked;
  const { firstMs } = DEFAULT_BAN_POLICY;
  const offend = async (key: RateLimitSubject, refusals: number): Promise<number> =>
    (await chargeAll(key, refusals)).filter(({ banStarted }) => banStarted).length;

  it('bans at the hundredth refusal within five minutes', async () => {
    const key = newKey();
    await chargeAll(key, 60);
    expect(await offend(key, 99)).toBe(0);
    const result = await clocked.limiter.charge(key);
    expect(result).toMatchObject({
      banStarted: true,
      refusal: 'api_key_temporarily_banned',
      retryAfterMs: firstMs,
    });
    expect(result.tightestWindow).toMatchObject({ remaining: 0, resetMs: firstMs });
    expect(await clocked.limiter.banOf(key.id)).toEqual({ remainingMs: firstMs, count: 1 });
  });

  it('bans only one of many refusals at once, and calls those before it what they were', async () => {
    const results = await chargeAll(newKey(), 260);
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

  it('bans for refusals that lie minutes apart, and not for as many in a longer time', async () => {
    const apart = newKey({ perMinute: 1, perDay: 1 });
    await clocked.limiter.charge(apart);
    expect(await offend(apart, 1)).toBe(0);
    pass(60_000);
    expect(await offend(apart, 60)).toBe(0);
    pass(290_000);
    expect(await offend(apart, 60)).toBe(1);
    const slow = newKey({ perMinute: 1, perDay: 1 });
    await clocked.limiter.charge(slow);
    for (let i = 0; i < 500; i++) {
      pass(3_200);
      expect(await offend(slow, 1)).toBe(0);
    }
  });

  it('is not lengthened by requests, and over when it said', async () => {
    const key = newKey();
    await chargeAll(key, 160);
    pass(firstMs / 2);
    await chargeAll(key, 200);
    pass(firstMs / 2 - 1);
    expect(await clocked.limiter.charge(key)).toMatchObject({ admitted: false, banMs: 1 });
    pass(1);
    expect(await clocked.limiter.charge(key)).toMatchObject({ admitted: true, banMs: 0 });
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
    const result = (await chargeAll(newKey({ perMinute: 10, perDay: 10 }), 110)).at(-1);
    expect(result).toMatchObject({ refusal: 'api_key_temporarily_banned', retryAfterMs: DAY });
  });

  it('can be lifted, with all that led to it', async () => {
    const key = newKey();
    await chargeAll(key, 160);
    expect(await clocked.limiter.liftBan(key.id)).toBe(true);
    expect(await clocked.limiter.banOf(key.id)).toBeUndefined();
    expect(await clocked.limiter.charge(key)).toMatchObject({ refusal: 'rate_limit_exceeded' });
    expect((await chargeAll(key, 99)).at(-1)).toMatchObject({ banStarted: true, banMs: firstMs });
    expect(await clocked.limiter.liftBan('key:unknown')).toBe(false);
  });

  it('never meets an address', async () => {
    const results = await chargeAll({ ...newKey(), bannable: false }, 500);
    expect(results.filter(({ refusal }) => refusal === 'rate_limit_exceeded')).toHaveLength(440);
  });
});
