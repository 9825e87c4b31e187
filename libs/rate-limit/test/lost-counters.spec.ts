import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { Plan, type PlanLimits, type RateLimitSubject } from '../src/index.js';
import { InProcessStore } from '../src/in-process/in-process-store.js';
import { DAY, MINUTE } from '../src/policy/rate-limit-window.js';
import { chargeScript } from '../src/redis/script/charge.lua.js';
import { RedisScript } from '../src/redis/script/redis-script.js';
import { RedisStore } from '../src/redis/redis-store.js';
import { SingleRedis } from '../src/redis/connection/single-redis.js';
import { DOZENS, gaps, TINY } from './traffic.js';
import { singleRedisAt } from './redis-at.js';

const script = new RedisScript(chargeScript(undefined));

const PREFIX = 'test:';
const INSTANCES = 3;

let server: TestRedis;
let observed: Redis;
let instances: RedisStore[];
let now = 1_700_000_000_000;
let subjects = 0;

beforeAll(async () => {
  server = await startRedis();
  observed = new Redis(server.url);
});
afterAll(async () => {
  observed.disconnect();
  await server.stop();
});

async function start(count: number): Promise<void> {
  const clock = () => now;
  instances = await Promise.all(
    Array.from({ length: count }, async () => {
      const topology = new SingleRedis(singleRedisAt(server.url), {
        ...{ prefix: PREFIX, observer: {}, script },
        timeouts: { responseTimeoutMs: 5_000, probeDelayMs: 200 },
      });
      await topology.connect(5_000);
      const inProcess = new InProcessStore({ clock });
      return new RedisStore({ topology, inProcess, script, prefix: PREFIX, clock });
    }),
  );
}
afterEach(async () => {
  for (const instance of instances) await instance.close();
});

const newKey = (limits: PlanLimits = Plan.limitsOf('free')): RateLimitSubject => ({
  id: `key:lost-${++subjects}`,
  limits,
  bannable: false,
});

const admittedOf = async (at: number, key: RateLimitSubject, requests: number): Promise<number> => {
  const store = instances[at];
  if (store === undefined) throw new Error(`no instance ${at}`);
  const results = await Promise.all(Array.from({ length: requests }, () => store.charge(key)));
  return results.filter(({ admitted }) => admitted).length;
};

describe('instances whose Redis loses its counters and keeps its scripts', () => {
  it('go on from what Redis said was used, each as of its last look', async () => {
    await start(INSTANCES);
    const key = newKey();
    for (let at = 0; at < INSTANCES; at++) expect(await admittedOf(at, key, 15)).toBe(15);
    now += 10;
    // Each looks once more: it then knows of all that was used.
    for (const instance of instances) await instance.peek(key);
    await observed.flushall();
    const admitted = await Promise.all(instances.map((_, at) => admittedOf(at, key, 60)));
    expect(admitted.reduce((sum, each) => sum + each)).toBe(15);
    now += MINUTE.lengthMs;
    const later = await Promise.all(instances.map((_, at) => admittedOf(at, key, 60)));
    expect(later.reduce((sum, each) => sum + each)).toBe(60);
  });

  it('tell what is left as if nothing had been lost', async () => {
    await start(1);
    const key = newKey();
    await admittedOf(0, key, 40);
    now += 1_000;
    await observed.del(PREFIX + key.id);
    expect(await instances[0]?.peek(key)).toMatchObject({
      minuteRemaining: 20,
      minuteResetMs: 59_000,
      dayRemaining: 960,
    });
    expect(await instances[0]?.charge(key)).toMatchObject({ minuteRemaining: 19, dayRemaining: 959 });
  });

  it('never admit more beyond a plan than one of them had not seen when it was lost', async () => {
    await start(INSTANCES);
    const event = fc.record({
      after: gaps(),
      at: fc.integer({ min: 0, max: INSTANCES - 1 }),
      requests: fc.integer({ min: 1, max: 12 }),
      lost: fc.constantFrom(false, false, false, true),
    });
    const limits = fc.constantFrom(...TINY, ...DOZENS);
    await fc.assert(
      fc.asyncProperty(limits, fc.array(event, { maxLength: 40 }), async (plan, events) => {
        const key = newKey(plan);
        const admissions: { at: number; units: number }[] = [];
        const within = (lengthMs: number): number =>
          admissions.reduce((sum, { at, units }) => (at > now - lengthMs ? sum + units : sum), 0);
        /** What the others have admitted since each instance looked last. */
        const unseen = Array<number>(INSTANCES).fill(0);
        let allowance = 0;
        let life = 0;
        for (const { after, at, requests, lost } of events) {
          now += after;
          if (lost) {
            allowance += Math.max(...unseen);
            life = await lifeOf(key);
            await observed.flushall();
          }
          const units = await admittedOf(at, key, requests);
          // One value in 254 that is made anew looks like the one before.
          if (life !== 0 && (await lifeOf(key)) === life) return;
          admissions.push({ at: now, units });
          unseen.forEach((count, other) => (unseen[other] = other === at ? 0 : count + units));
          expect(within(MINUTE.lengthMs)).toBeLessThanOrEqual(plan.perMinute + allowance);
          expect(within(DAY.lengthMs)).toBeLessThanOrEqual(plan.perDay + allowance);
        }
      }),
      { numRuns: 150 },
    );
  });
});

async function lifeOf({ id }: RateLimitSubject): Promise<number> {
  return (await observed.getBuffer(PREFIX + id))?.[0] ?? 0;
}
