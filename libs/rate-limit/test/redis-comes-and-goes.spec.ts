import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { DEFAULT_BAN_POLICY, Plan } from '../src/index.js';
import { DAY, MINUTE } from '../src/policy/rate-limit-window.js';
import { AdmissionLog } from './admission-log.js';
import { judge } from './judge.js';
import { singleRedisAt } from './redis-at.js';
import { CutableLimiter } from './redis-limiter-at.js';
import { DOZENS, gaps, TINY, traffic } from './traffic.js';

const EMPTY = Buffer.alloc(0);
const START = 1_700_000_000_000;
const LIMITS = [
  ['tiny limits', TINY, 100],
  ['limits of some dozens', DOZENS, 60],
  ['the plan free', [Plan.limitsOf('free')], 30],
] as const;

let server: TestRedis;
let observed: Redis;
let now = START;
const clock = (): number => now;

beforeAll(async () => {
  server = await startRedis();
  observed = new Redis(server.url);
});
afterAll(async () => {
  observed.disconnect();
  await server.stop();
});

describe('an instance whose Redis comes and goes, with and without its memory', () => {
  let instance: CutableLimiter;

  beforeAll(async () => {
    instance = new CutableLimiter(singleRedisAt(server.url), clock, DEFAULT_BAN_POLICY);
    await instance.limiter.open();
  });
  afterAll(() => instance.limiter.close());

  it.each(LIMITS)('keeps every promise under %s', async (_, limits, numRuns) => {
    const happenings = ['cut', 'joined', 'flushed', 'restarted', 'saved', 'restored'];
    const disturbance = fc.constantFrom(...Array<string>(6).fill('nothing'), ...happenings);
    await fc.assert(
      fc.asyncProperty(traffic(limits), fc.infiniteStream(disturbance), async (events, disturbances) => {
        await instance.join();
        await observed.flushall();
        const saved = new Map<string, Buffer>();
        const disturb = async (): Promise<void> => {
          const what = disturbances.next().value as string;
          if (what === 'cut') instance.cut();
          if (what === 'joined') await instance.join();
          // What is put back after a loss is counted twice, which is not what is judged here.
          if (what === 'flushed' || what === 'restarted') saved.clear();
          // The scripts stay, so that nothing but the values themselves tells of it.
          if (what === 'flushed') await observed.flushall();
          if (what === 'restarted') {
            await observed.flushall();
            await observed.script('FLUSH');
          }
          // A replica that lacks the latest writes, or a backup.
          const keys = await observed.keys('*');
          if (what === 'saved') {
            for (const key of keys) saved.set(key, (await observed.getBuffer(key)) ?? EMPTY);
          }
          if (what === 'restored') for (const [key, value] of saved) await observed.set(key, value);
        };
        await judge({ limiter: instance.limiter, setClock: (to) => (now = to) }, events, { disturb });
      }),
      { numRuns },
    );
  });
});

describe('two instances whose Redis comes and goes', () => {
  let instances: readonly [CutableLimiter, CutableLimiter];
  let subjects = 0;

  beforeAll(async () => {
    const make = (): CutableLimiter => new CutableLimiter(singleRedisAt(server.url), clock);
    instances = [make(), make()];
    for (const { limiter } of instances) await limiter.open();
  });
  afterAll(async () => {
    for (const { limiter } of instances) await limiter.close();
  });

  it.each(LIMITS)(
    'each keep to %s, and share it with all that was admitted apart once both are back',
    async (_, plans, numRuns) => {
      const event = fc.record({
        after: gaps(),
        at: fc.constantFrom(0 as const, 1 as const),
        requests: fc.integer({ min: 1, max: 12 }),
        change: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 'joined', 'joined'),
        changed: fc.constantFrom(0 as const, 1 as const),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...plans),
          fc.array(event, { maxLength: 60 }),
          async (limits, events) => {
            for (const instance of instances) await instance.join();
            const subject = { id: `key:two-${++subjects}`, limits, bannable: false };
            const together = new AdmissionLog();
            const apart = [new AdmissionLog(), new AdmissionLog()] as const;
            const isCut = [false, false];
            for (const { after, at, requests, change, changed } of events) {
              now += after;
              if (change === 'cut') {
                instances[changed].cut();
                isCut[changed] = true;
              }
              if (change === 'joined') {
                await instances[changed].join();
                isCut[changed] = false;
              }
              const { limiter } = instances[at];
              const results = await Promise.all(
                Array.from({ length: requests }, () => limiter.charge(subject)),
              );
              for (const { admitted } of results) {
                const flaw = admitted ? together.admit(now, limits) : undefined;
                if (admitted) expect(apart[at].admit(now, limits)).toBeUndefined();
                if (isCut.includes(true)) continue;
                // Nothing is admitted that is more than the plan with what others have admitted apart.
                expect(flaw).toBeUndefined();
                if (!admitted) expect(together.refuse(now, limits)).toBeUndefined();
              }
              expect(together.within(MINUTE.lengthMs, now)).toBeLessThanOrEqual(2 * limits.perMinute);
              expect(together.within(DAY.lengthMs, now)).toBeLessThanOrEqual(2 * limits.perDay);
            }
          },
        ),
        { numRuns },
      );
    },
  );
});
