import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { createRateLimiter, DAY, DEFAULT_BAN_POLICY, type RateLimiter } from '../src/index.js';
import { LocalLimiter } from '../src/local-limiter.js';
import { ChangeLog } from './change-log.js';
import { START } from './limiter-on-clock.js';
import { judge } from './judge.js';
import { business, newKey, redisAt, valueOf } from './requests.js';
import { PATIENT, startLimiter } from './start-limiter.js';
import { DOZENS, ENTERPRISE, FREE, gaps, PLANS, TINY, traffic } from './traffic.js';

let server: TestRedis;
let admin: Redis;
let shared: RateLimiter;
let changes: ChangeLog;
let now = START;
const clock = (): number => now;
const setClock = (to: number): void => void (now = to);

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.url);
  ({ limiter: shared, changes } = await startLimiter({
    clock,
    redis: redisAt(server.url),
    timeouts: PATIENT,
  }));
});
afterAll(async () => {
  await shared.close();
  admin.disconnect();
  await server.stop();
  expect(changes.names).toEqual([]);
});

describe.each([
  ['in the process', () => createRateLimiter({ clock })],
  ['in Redis', () => Promise.resolve(shared)],
] as const)('a limiter %s', (where, limiterOf) => {
  it.each([
    ['tiny limits that change all the time', TINY, {}, 1, 40],
    ['limits of some dozens that change all the time', DOZENS, {}, 1, 40],
    ['a clock of microseconds', TINY, {}, 1.0007, 40],
    ['the plan free', FREE, { events: 25 }, 1, 30],
    ['a large enterprise plan', ENTERPRISE, { events: 25 }, 1, 8],
    ['limits that change under traffic', PLANS, { events: 25 }, 1, 15],
  ])('passes the judge of all admissions with %s', async (_, limits, shape, scale, numRuns) => {
    now = START;
    const limiter = await limiterOf();
    await fc.assert(
      fc.asyncProperty(traffic(limits, shape), (events) => judge({ limiter, setClock, scale }, events)),
      { numRuns },
    );
    if (where === 'in the process') await limiter.close();
  });
});

it('Redis and the process decide alike in every number', async () => {
  const questions = fc.array(
    fc.record({
      after: gaps(),
      requests: fc.integer({ min: 1, max: 12 }),
      limits: fc.constantFrom(...TINY, ...DOZENS),
    }),
    { minLength: 1, maxLength: 80 },
  );
  await fc.assert(
    fc.asyncProperty(questions, fc.boolean(), async (history, bannable) => {
      now = START;
      const local = new LocalLimiter(DEFAULT_BAN_POLICY, clock);
      const { id } = newKey();
      for (const { after, requests, limits } of history) {
        now += after;
        const subject = { id, limits, bannable };
        const there = Array.from({ length: requests }, () => shared.consume(subject));
        const here = Array.from({ length: requests }, () => local.consume([subject]));
        // A request of several at once sees when the next unit comes free after all of them.
        const seen = (results: typeof here) =>
          results.map(({ admitted, banStarted, minute, day, banMs }) => [
            admitted,
            banStarted,
            minute.used,
            minute.remaining,
            day.used,
            day.remaining,
            banMs,
          ]);
        expect(seen(await Promise.all(there))).toEqual(seen(here));
        const [looked, known] = [await shared.inspect(subject), local.look(subject)];
        expect(looked).toEqual(known);
      }
    }),
    { numRuns: 100 },
  );
});

describe('the values in Redis', () => {
  const key = newKey(business);
  const namesOf = (): string[] => [valueOf(key), `${valueOf(key)}:minute`, `${valueOf(key)}:day`];

  it('take at most 6 KB, whatever is sent, and live for a day and a ban at most', async () => {
    for (const [requests, everyMs] of [
      [250, 432_000],
      [250, 300],
    ] as const) {
      for (let i = 0; i < requests; i++) {
        now += everyMs;
        await shared.consume({ ...key, limits: { perMinute: 1_000_000, perDay: 1_000_000 } });
      }
    }
    const bytes = await Promise.all(namesOf().map((name) => admin.memory('USAGE', name)));
    expect(bytes.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBeLessThanOrEqual(6 * 1024);
    for (const name of namesOf()) expect(await admin.pttl(name)).toBeLessThanOrEqual(2 * DAY.lengthMs);
    expect((await shared.inspect(key)).minute.used).toBeGreaterThanOrEqual(199);
  });

  it.each(['state', 'minute', 'day'])(
    'begin anew when the %s was evicted, which is told once',
    async (what) => {
      await admin.flushall();
      for (let i = 0; i < 10; i++) {
        now += 500_000;
        for (let n = 0; n < 5; n++, now += 300) await shared.consume(key);
      }
      const lost = changes.lostIds.length;
      const [state = '', minute = '', day = ''] = namesOf();
      await admin.del({ state, minute, day }[what] ?? '');
      now += what === 'minute' ? 300 : 500_000;
      for (let i = 0; i < 3; i++, now += 300) await shared.consume(key);
      expect(changes.lostIds.slice(lost)).toEqual([key.id]);
      expect((await shared.inspect(key)).day.used).toBeLessThanOrEqual(3);
    },
  );

  it('leave nothing of what was refused, or looked at, before anything was admitted', async () => {
    const [fresh, used] = [newKey(), newKey({ perMinute: 1, perDay: 1 })];
    await shared.consume(used);
    await shared.consume([used, fresh]);
    await shared.inspect(fresh);
    expect(await admin.exists(valueOf(fresh))).toBe(0);
  });

  it('stand still when the clock goes back by a second, and begin anew when it goes back by more', async () => {
    const subject = newKey({ perMinute: 2, perDay: 2 });
    await shared.consume(subject);
    now -= 1_000;
    expect(await shared.consume(subject)).toMatchObject({ admitted: true, minute: { remaining: 0 } });
    now -= 3_600_000;
    const lost = changes.lostIds.length;
    expect(await shared.consume(subject)).toMatchObject({ admitted: true, minute: { remaining: 1 } });
    expect(changes.lostIds.slice(lost)).toEqual([subject.id]);
  });
});
