import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { createRateLimiter, DAY, DEFAULT_BAN_POLICY, MINUTE } from '../src/index.js';
import type { WindowSnapshot } from '../src/limiter/rate-limit-result.js';
import { SubjectCounters } from '../src/local/subject-counters.js';
import {
  defineScript,
  LIFT_BAN_REQUEST,
  readReply,
  type RunScript,
  spellPolicy,
  spellRequest,
} from '../src/redis/charge-script.js';
import { AdmissionLog } from './admission-log.js';
import { CutableLimiter } from './cutable-limiter.js';
import { START } from './limiter-on-clock.js';
import { judge } from './judge.js';
import { DOZENS, ENTERPRISE, FREE, gaps, PLANS, type Question, questions, TINY, traffic } from './traffic.js';

let server: TestRedis;
let observed: Redis;
let now = START;
const clock = (): number => now;
const setClock = (to: number): void => void (now = to);
const newClient = (): Redis => new Redis(server.url, { lazyConnect: true });

beforeAll(async () => {
  server = await startRedis();
  observed = new Redis(server.url);
});
afterAll(async () => {
  observed.disconnect();
  await server.stop();
});

describe('a limiter in the process', () => {
  it.each([
    ['tiny limits that change all the time', TINY, {}, 1, 60],
    ['limits of some dozens that change all the time', DOZENS, {}, 1, 60],
    ['a clock of microseconds', TINY, {}, 1.0007, 60],
    ['a clock that jumps back', TINY, { clockJumps: true }, 1, 60],
    ['the plan free', FREE, { events: 25 }, 1, 40],
    ['a large enterprise plan', ENTERPRISE, { events: 25 }, 1, 10],
    ['plans that change under traffic', PLANS, { events: 25 }, 1, 20],
  ])('passes the judge of all admissions with %s', async (_, limits, shape, scale, numRuns) => {
    const limiter = await createRateLimiter({ clock });
    await fc.assert(
      fc.asyncProperty(traffic(limits, shape), (events) => judge({ limiter, setClock, scale }, events)),
      { numRuns },
    );
    await limiter.close();
  });
});

describe('the script in Redis and the counters in the process', () => {
  let run: RunScript;
  let histories = 0;
  beforeAll(() => {
    run = defineScript(observed);
  });

  /** The same questions to both, all of a history's in flight at once; returns the key in Redis. */
  async function compare(history: readonly Question[], bannable: boolean): Promise<string> {
    const policy = DEFAULT_BAN_POLICY;
    const counters = new SubjectCounters(policy);
    const key = `test:${++histories}`;
    let at = START * 1000;
    const here: WindowSnapshot[] = [];
    const there: Promise<Buffer>[] = [];
    for (const { after, jump, wanted, allowed, limits, lifts } of history) {
      at += after + jump * 1000;
      const args = (request: string): string[] => [String(at), spellPolicy(policy), request];
      if (lifts) {
        counters.liftBan(at);
        void run([key], args(LIFT_BAN_REQUEST));
        continue;
      }
      const most = Math.floor(wanted * allowed);
      here.push(counters.charge(at, { limits, bannable }, wanted, most));
      there.push(run([key], args(spellRequest({ id: key, limits, bannable }, wanted, most))));
    }
    const replies = await Promise.all(there);
    expect(replies.flatMap((reply) => readReply(reply, 1))).toMatchObject(here);
    return key;
  }

  it.each([
    ['tiny limits', TINY, [], 100],
    ['limits of some dozens', DOZENS, [], 100],
    ['the plans', PLANS, [], 60],
    [
      'clocks that are set',
      [...TINY, ...DOZENS],
      [-3_600_000, 3_600_000, -DAY.lengthMs, -1, -61_000, 30_000],
      100,
    ],
  ])('decide alike in every detail under %s', async (_, limits, jumps, numRuns) => {
    await fc.assert(
      fc.asyncProperty(questions(limits, jumps), fc.boolean(), async (history, bannable) => {
        await compare(history, bannable);
      }),
      { numRuns },
    );
  });

  it('decide alike about a key of a whole day, with both rings full', async () => {
    const limits = { perMinute: 1_000, perDay: 500_000 };
    const spread = (count: number, after: number): Question[] =>
      Array.from({ length: count }, () => ({ after, jump: 0, wanted: 1, allowed: 1, limits, lifts: false }));
    const history = [...spread(300, 500_000_000), ...spread(900, 350_000), ...spread(5, 20_000_000)];
    expect(await observed.memory('USAGE', await compare(history, true))).toBeLessThanOrEqual(4_500);
  });
});

/** Limits under which Redis comes and goes, and how many histories. */
const UNSTEADY = [
  ['tiny limits', TINY, 40],
  ['limits of some dozens', DOZENS, 25],
  ['the plan free', FREE, 12],
] as const;

describe('an instance whose Redis comes and goes, with and without its memory', () => {
  let instance: CutableLimiter;
  beforeAll(async () => {
    instance = new CutableLimiter(newClient(), clock, DEFAULT_BAN_POLICY);
    await instance.limiter.open();
  });
  afterAll(() => instance.limiter.close());

  const happening = fc.constantFrom(
    ...Array<'nothing'>(6).fill('nothing'),
    ...(['cut', 'joined', 'flushed', 'restarted', 'saved', 'restored'] as const),
  );

  it.each(UNSTEADY)('keeps every promise under %s', async (_, limits, numRuns) => {
    await fc.assert(
      fc.asyncProperty(traffic(limits), fc.infiniteStream(happening), async (events, happenings) => {
        await instance.join();
        await observed.flushall();
        const saved = new Map<string, Buffer>();
        const disturb = async (): Promise<void> => {
          const what: string = happenings.next().value as string;
          if (what === 'cut') instance.cut();
          if (what === 'joined') await instance.join();
          if (what === 'flushed' || what === 'restarted') {
            // What is put back after a loss is counted twice, which is not what is judged here.
            saved.clear();
            await observed.flushall();
            // Else nothing but the values themselves tells of it.
            if (what === 'restarted') await observed.script('FLUSH');
          }
          // A replica that lacks the latest writes, or a backup.
          if (what === 'saved') {
            for (const key of await observed.keys('*'))
              saved.set(key, (await observed.getBuffer(key)) ?? Buffer.alloc(0));
          }
          if (what === 'restored') for (const [key, value] of saved) await observed.set(key, value);
        };
        await judge({ limiter: instance.limiter, setClock, disturb }, events);
      }),
      { numRuns },
    );
  });

  it('sends what was lost with the time of each request, and nothing twice', async () => {
    const [limits, bannable] = [{ perMinute: 10, perDay: 10 }, false];
    const subject = { id: 'key:lost', limits, bannable };
    await instance.join();
    await instance.limiter.charge(subject);
    now += 30_000;
    await observed.flushall();
    // It is counted in the new value, which lacks the one before it.
    await instance.limiter.charge(subject);
    const other = new CutableLimiter(newClient(), clock);
    await other.limiter.open();
    const both = await other.limiter.peek(subject);
    now += 30_000;
    const one = await other.limiter.peek(subject);
    await other.limiter.close();
    expect(both).toMatchObject({ minute: { used: 2 }, day: { used: 2 } });
    expect(one).toMatchObject({ minute: { used: 1 }, day: { used: 2 } });
  });

  it('counts nothing twice when the response to what was lost comes late', async () => {
    const subject = { id: 'key:late', limits: { perMinute: 10, perDay: 20 }, bannable: false };
    await instance.join();
    for (let n = 0; n < 3; n++) await instance.limiter.charge(subject);
    await observed.flushall();
    now += 60_000;
    // Finds no value, and sends what was lost; the way is cut before the response is there.
    await instance.limiter.peek(subject);
    instance.cut();
    await instance.limiter.charge(subject);
    await instance.join();
    expect(await instance.limiter.charge(subject)).toMatchObject({ day: { used: 5 } });
  });
});

describe('two instances whose Redis comes and goes', () => {
  let instances: readonly [CutableLimiter, CutableLimiter];
  let subjects = 0;
  beforeAll(async () => {
    instances = [new CutableLimiter(newClient(), clock), new CutableLimiter(newClient(), clock)];
    for (const { limiter } of instances) await limiter.open();
  });
  afterAll(async () => {
    for (const { limiter } of instances) await limiter.close();
  });

  const event = fc.record({
    after: gaps(),
    at: fc.constantFrom(0 as const, 1 as const),
    requests: fc.integer({ min: 1, max: 12 }),
    change: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 'joined', 'joined'),
    changed: fc.constantFrom(0 as const, 1 as const),
  });

  it.each(UNSTEADY)(
    'each keep to %s, and share it with all that was admitted apart once both are back',
    async (_, plans, numRuns) => {
      const histories = fc.tuple(fc.constantFrom(...plans), fc.array(event, { maxLength: 60 }));
      await fc.assert(
        fc.asyncProperty(histories, async ([limits, events]) => {
          for (const instance of instances) await instance.join();
          const subject = { id: `key:two-${++subjects}`, limits, bannable: false };
          const together = new AdmissionLog();
          const apart = [new AdmissionLog(), new AdmissionLog()] as const;
          const isCut = [false, false];
          for (const { after, at, requests, change, changed } of events) {
            now += after;
            if (change === 'cut') instances[changed].cut();
            if (change === 'joined') await instances[changed].join();
            if (change !== 'none') isCut[changed] = change === 'cut';
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
        }),
        { numRuns },
      );
    },
  );
});
