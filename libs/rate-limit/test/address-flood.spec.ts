import { afterEach, describe, expect, it } from '@jest/globals';
import { addressSubject, DEFAULT_ADDRESS_LIMITS, Plan, type RateLimitSubject } from '../src/index.js';
import { LocalLimiter } from '../src/local/local-limiter.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let now = 1_700_000_000_000;
let limiter: LocalLimiter;
afterEach(() => limiter.close());

const start = (options: { maxAddresses?: number; keyBytes?: number; addressBytes?: number } = {}): void => {
  limiter = new LocalLimiter({ clock: () => now, ...options });
};
/** One /64 of a /48, and an address of a provider of its own. */
const inSite = (i: number) => addressSubject(`2001:db8:1:${i.toString(16)}::1`);
const anywhere = (i: number) =>
  addressSubject(`2a${(i >> 8).toString(16).padStart(2, '0')}:${i & 255}:1:1::1`);
const admittedOf = async (subject: RateLimitSubject, requests: number): Promise<number> => {
  let admitted = 0;
  for (let i = 0; i < requests; i++) if ((await limiter.charge(subject)).admitted) admitted++;
  return admitted;
};
const key = (i: number, plan: 'free' | 'business' = 'free'): RateLimitSubject => ({
  id: `key:${i}`,
  limits: Plan.limitsOf(plan),
  bannable: true,
});

describe('a flood of addresses', () => {
  it('from one site is metered by address at first, then by the site, and never unlimited', async () => {
    start();
    for (let i = 0; i < 256; i++) expect(await admittedOf(inSite(i), 1)).toBe(1);
    // All the others of the /48 have one limit between them.
    let admitted = 0;
    for (let i = 256; i < 1_000; i++) admitted += await admittedOf(inSite(i), 1);
    expect(admitted).toBe(DEFAULT_ADDRESS_LIMITS.perMinute);
    expect(limiter.addresses.size).toBe(257);
    // Those that were there before keep theirs, and so does everybody elsewhere.
    expect(await admittedOf(inSite(0), 300)).toBe(299);
    expect(await admittedOf(addressSubject('2001:db8:2::1'), 301)).toBe(300);
    expect(await admittedOf(addressSubject('192.0.2.1'), 301)).toBe(300);
  });

  it('from everywhere takes bounded memory, and is never unlimited', async () => {
    start({ maxAddresses: 1_000 });
    let admitted = 0;
    for (let i = 0; i < 30_000; i++) admitted += await admittedOf(anywhere(i), 1);
    expect(limiter.addresses.size).toBeLessThanOrEqual(1_000 * 1.25 + 64);
    expect(admitted).toBeLessThan(1_000 + (250 + 64) * 300);
    expect(await admittedOf(anywhere(0), 300)).toBe(299);
  });

  it('has room for new ones when those of little use have been silent for an hour', async () => {
    start({ maxAddresses: 100 });
    for (let i = 0; i < 100; i++) await admittedOf(anywhere(i), i < 50 ? 10 : 11);
    now += HOUR - 1;
    limiter.sweep();
    expect(limiter.addresses.size).toBe(100);
    now += 1;
    limiter.sweep();
    expect(limiter.addresses.size).toBe(50);
    now += DAY;
    limiter.sweep();
    expect(limiter.addresses).toMatchObject({ size: 0, bytes: 0 });
  });

  it('gives nobody more than 2.4 % beyond the limit of a day who is forgotten every hour', async () => {
    start();
    const address = addressSubject('192.0.2.1');
    let admitted = 0;
    for (let hour = 0; hour < 23; hour++) {
      admitted += await admittedOf(address, 10);
      now += HOUR;
    }
    for (let minute = 0; minute < 40; minute++) {
      admitted += await admittedOf(address, 300);
      now += 60_000;
    }
    expect(admitted).toBeLessThanOrEqual(DEFAULT_ADDRESS_LIMITS.perDay * 1.024);
    expect(admitted).toBeGreaterThanOrEqual(DEFAULT_ADDRESS_LIMITS.perDay);
  });

  it('forgets no key', async () => {
    start({ maxAddresses: 10, addressBytes: 20_000, keyBytes: 2_000 });
    await limiter.charge(key(1));
    for (let i = 0; i < 1_000; i++) await limiter.charge(anywhere(i));
    expect((await limiter.charge(key(1))).minute.remaining).toBe(58);
  });
});

describe('the memory of keys', () => {
  it('is given back as windows empty', async () => {
    start();
    for (let i = 0; i < 100; i++) {
      for (let j = 0; j < 30; j++) {
        now += 400;
        await limiter.charge(key(i));
      }
      now -= 30 * 400;
    }
    const full = limiter.keys.bytes;
    now += 2 * 60_000;
    limiter.sweep();
    expect(limiter.keys.bytes).toBeLessThan(full / 1.5);
    now += DAY;
    limiter.sweep();
    expect(limiter.keys).toMatchObject({ size: 0, bytes: 0 });
  });

  it('is bounded, and those used last keep theirs', async () => {
    const bytes = 200_000;
    start({ keyBytes: bytes });
    for (let i = 0; i < 1_000; i++) {
      for (let step = 0; step < 3; step++) {
        now += 1_000_000;
        await limiter.charge(key(i));
      }
      expect(limiter.keys.bytes).toBeLessThanOrEqual(bytes);
    }
    expect((await limiter.charge(key(999))).day.remaining).toBe(996);
    expect((await limiter.charge(key(0))).day.remaining).toBe(999);
  });
});
