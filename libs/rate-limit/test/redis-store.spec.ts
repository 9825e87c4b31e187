import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { DEFAULT_BAN_POLICY, Plan } from '../src/index.js';
import { InProcessStore } from '../src/in-process/in-process-store.js';
import { DEFAULT_REDIS_TIMEOUTS } from '../src/redis/connection/redis-timeouts.js';
import { chargeScript } from '../src/redis/script/charge.lua.js';
import { RedisScript } from '../src/redis/script/redis-script.js';
import { RedisStore } from '../src/redis/redis-store.js';
import { SingleRedis } from '../src/redis/connection/single-redis.js';
import { describeLimitStore } from './limit-store.cases.js';
import { DOZENS, TINY, traffic } from './traffic.js';
import { singleRedisAt } from './redis-at.js';

const script = new RedisScript(chargeScript(DEFAULT_BAN_POLICY));

/** Small, so that a day's count is soon one that is forgotten after an hour, or just is not. */
const ADDRESS = { perMinute: 8, perDay: 4_000 };

describe('RedisStore', () => {
  let server: TestRedis;
  let store: RedisStore;
  let observed: Redis;
  let now = 0;
  const clock = () => now;
  const degraded = (reason: unknown) => {
    throw new Error(`Redis is unavailable: ${JSON.stringify(reason)}`);
  };

  beforeAll(async () => {
    server = await startRedis();
    observed = new Redis(server.url);
    // A test machine may be slow; what is tested here is not timeouts.
    const topology = new SingleRedis(singleRedisAt(server.url), {
      ...{ prefix: 'test:', observer: { degraded }, script },
      timeouts: { ...DEFAULT_REDIS_TIMEOUTS, responseTimeoutMs: 5_000 },
    });
    await topology.connect(5_000);
    store = new RedisStore({
      topology,
      inProcess: new InProcessStore({ clock, banPolicy: DEFAULT_BAN_POLICY }),
      script,
      prefix: 'test:',
      clock,
    });
  });

  afterAll(async () => {
    await store.close();
    observed.disconnect();
    await server.stop();
  });

  describeLimitStore(() => ({ store, setClock: (to) => (now = to) }), 12);

  it.each([
    ['keys', { bannable: true }, [...TINY, ...DOZENS, Plan.limitsOf('free')]],
    ['addresses', { bannable: false, numerous: true }, [ADDRESS]],
  ])('decides about %s in every detail as the store in the process does', async (what, kind, limits) => {
    let histories = 0;
    await fc.assert(
      fc.asyncProperty(traffic(limits), async (events) => {
        const inProcess = new InProcessStore({ clock, banPolicy: DEFAULT_BAN_POLICY });
        const id = `${what}:both-${++histories}`;
        now = 1_700_000_000_000;
        for (const event of events) {
          now += event.after + 0.25;
          const subject = { id, limits: event.limits, ...kind };
          const ask = (from: RedisStore | InProcessStore) =>
            event.kind === 'burst'
              ? Promise.all(Array.from({ length: event.requests }, () => from.charge(subject)))
              : from.peek(subject);
          // The same requests one by one and all at once: the last result tells about all.
          const [here, there] = [await ask(inProcess), await ask(store)];
          expect(there).toEqual(here);
        }
      }),
      { numRuns: 150 },
    );
  });

  describe('what it keeps', () => {
    const used = (id: string) => observed.memory('USAGE', `test:${id}`);

    it.each([
      ['free', 60, 2_500],
      ['pro', 300, 4_000],
      ['business', 1_000, 7_000],
    ] as const)(
      'takes at most the room promised for a key on %s with both windows full',
      async (plan, burst, bytes) => {
        const subject = { id: `key:memory-${plan}`, limits: Plan.limitsOf(plan), bannable: true };
        now = 1_700_000_000_000;
        const step = 86_400_000 / 202;
        const perStep = Math.ceil((subject.limits.perDay - burst) / 200);
        let admitted = 0;
        const charge = async (requests: number) => {
          const results = await Promise.all(Array.from({ length: requests }, () => store.charge(subject)));
          admitted += results.filter((result) => result.admitted).length;
          return results.at(-1);
        };
        // Spread over the whole day, a little in each step, then a full minute, one by one in its moments.
        for (let i = 0; i < 200; i++) {
          for (
            let left = Math.min(perStep, subject.limits.perDay - burst - admitted);
            left > 0;
            left -= burst
          ) {
            await charge(Math.min(burst, left));
            now += step / Math.ceil(perStep / burst);
          }
        }
        let last = await charge(1);
        for (let i = 1; i < burst; i++) {
          now += 1;
          last = await charge(1);
        }
        expect(last).toMatchObject({ minuteRemaining: 0, dayRemaining: 0 });
        // Refusals from time to time, as many as there can be without a ban.
        for (let i = 0; i < 31; i++) {
          now += 1_900;
          await charge(1);
        }
        expect(await used(subject.id)).toBeLessThanOrEqual(bytes);
      },
    );

    it('takes less than 350 bytes for a key of one request, and nothing a day later', async () => {
      const subject = { id: 'key:once', limits: Plan.limitsOf('business'), bannable: true };
      await store.charge(subject);
      expect(await used(subject.id)).toBeLessThan(350);
      const left = await observed.pttl('test:key:once');
      expect(left).toBeGreaterThan(86_390_000);
      expect(left).toBeLessThanOrEqual(86_400_000);
    });
  });
});
