import { describe, expect, it } from '@jest/globals';
import { addressSubject, createRateLimiter } from '../src/index.js';
import { admittedOf, newKey } from './requests.js';

/** Of each kind, as the README promises. */
const MOST_SUBJECTS = 20_000;

describe('the subject of an address', () => {
  it.each([
    ['203.0.113.7', 'address:203.0.113.7'],
    ['::ffff:203.0.113.7', 'address:203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', 'address:2001:db8:1:2::/64'],
    ['::1', 'address:::/64'],
    ['fe80::1%eth0', 'address:fe80::/64'],
    [undefined, 'address:unknown'],
    ['nonsense', 'address:unknown'],
  ])('%s is %s', (address, id) => {
    expect(addressSubject(address).id).toBe(id);
  });

  it('has 300 requests a minute and 10,000 a day unless given, and is never banned', () => {
    expect(addressSubject('203.0.113.7')).toMatchObject({
      limits: { perMinute: 300, perDay: 10_000 },
      isAnonymous: true,
    });
    const limits = { perMinute: 1, perDay: 2 };
    expect(addressSubject('203.0.113.7', limits).limits).toBe(limits);
  });
});

describe('a limiter in the process', () => {
  it('keeps keys and shares while addresses come and go, and the addresses used last', async () => {
    const limiter = await createRateLimiter();
    const key = newKey({ perMinute: 1, perDay: 1 });
    const share = { id: 'visitor:1', limits: { perMinute: 1, perDay: 1 }, partOf: key.id };
    const limits = { perMinute: 1, perDay: 1 };
    const addressOf = (n: number) => addressSubject(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, limits);
    expect((await limiter.consume([share, key])).admitted).toBe(true);
    for (let n = 0; n < MOST_SUBJECTS * 1.5; n++)
      expect((await limiter.consume(addressOf(n))).admitted).toBe(true);
    expect(await admittedOf(limiter, key, 1)).toBe(0);
    expect(await limiter.consume([share, newKey()])).toMatchObject({ admitted: false, subject: share });
    expect(await admittedOf(limiter, addressOf(MOST_SUBJECTS), 1)).toBe(0);
    expect(await admittedOf(limiter, addressOf(0), 1)).toBe(1);
    await limiter.close();
  });
});
