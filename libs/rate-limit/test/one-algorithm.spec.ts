import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { SubjectCounters } from '../src/counters/subject-counters.js';
import type { WindowSnapshot } from '../src/decision/window-snapshot.js';
import { DEFAULT_BAN_POLICY, type PlanLimits } from '../src/index.js';
import { LIFT_BAN_REQUEST, readSnapshot, spellPolicy, spellRequest } from '../src/redis/charge-wire.js';
import { defineScript, type RunScript } from '../src/redis/redis-link.js';
import { DOZENS, gaps, PLANS, TINY } from './traffic.js';

/** What is asked some time after the question before. */
interface Step {
  /** Microseconds. */
  readonly after: number;
  /** Milliseconds by which the clock is set before that. */
  readonly jump: number;
  readonly wanted: number;
  /** As a share of what is wanted. */
  readonly allowed: number;
  readonly limits: PlanLimits;
  readonly lifts: boolean;
}

const HOUR = 3_600_000;
/** Most questions are one request, many are none or some. */
const steps = (limits: readonly PlanLimits[], jumps: readonly number[]): fc.Arbitrary<Step[]> => {
  const most = Math.max(...limits.map(({ perMinute }) => perMinute));
  return fc.array(
    fc.record({
      after: fc.tuple(gaps(), fc.integer({ min: 0, max: 999 })).map(([ms, us]) => ms * 1000 + us),
      jump: fc.constantFrom(...Array<number>(20).fill(0), ...jumps),
      wanted: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: Math.ceil(most * 1.2) })),
      allowed: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
      limits: fc.constantFrom(...limits),
      lifts: fc.oneof({ weight: 30, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { minLength: 1, maxLength: 80 },
  );
};

describe('the script in Redis and the counters in the process', () => {
  let server: TestRedis;
  let client: Redis;
  let run: RunScript;
  let histories = 0;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url);
    run = defineScript(client);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  /** The same questions to both, all of a history's in flight at once. */
  async function ask(
    history: readonly Step[],
    bannable: boolean,
  ): Promise<[WindowSnapshot[], WindowSnapshot[]]> {
    const policy = DEFAULT_BAN_POLICY;
    const counters = new SubjectCounters(policy);
    const key = `test:${++histories}`;
    let now = 1_700_000_000_000_000;
    const here: WindowSnapshot[] = [];
    const there: Promise<Buffer>[] = [];
    for (const { after, jump, wanted, allowed, limits, lifts } of history) {
      now += after + jump * 1000;
      const args = (request: string): string[] => [String(now), spellPolicy(policy), request];
      if (lifts) {
        counters.liftBan(now);
        there.push(run([key], args(LIFT_BAN_REQUEST)));
        here.push({} as WindowSnapshot);
        continue;
      }
      const most = Math.floor(wanted * allowed);
      here.push(counters.charge(now, { limits, bannable }, wanted, most));
      there.push(run([key], args(spellRequest({ id: key, limits, bannable }, wanted, most))));
    }
    const replies = await Promise.all(there);
    return [
      here,
      replies.map((reply, i) => (history[i]?.lifts ? ({} as WindowSnapshot) : readSnapshot(reply, 0))),
    ];
  }

  const plans = PLANS.map(([, limits]) => limits);
  it.each([
    ['tiny limits', TINY, [], 250],
    ['limits of some dozens', DOZENS, [], 250],
    ['the plans', plans, [], 100],
    ['clocks that are set', [...TINY, ...DOZENS], [-HOUR, HOUR, -24 * HOUR, -1, -61_000, 30_000], 250],
  ])('decide alike in every detail under %s', async (_, limits, jumps, numRuns) => {
    await fc.assert(
      fc.asyncProperty(steps(limits, jumps), fc.boolean(), async (history, bannable) => {
        const [here, there] = await ask(history, bannable);
        expect(there).toMatchObject(here);
      }),
      { numRuns },
    );
  });

  it('decide alike about a key of a whole day, with both rings full', async () => {
    const limits = { perMinute: 1_000, perDay: 500_000 };
    const spread = (count: number, after: number): Step[] =>
      Array.from({ length: count }, () => ({ after, jump: 0, wanted: 1, allowed: 1, limits, lifts: false }));
    const history = [...spread(300, 500_000_000), ...spread(900, 350_000), ...spread(5, 20_000_000)];
    const [here, there] = await ask(history, true);
    expect(there).toMatchObject(here);
    expect(await client.memory('USAGE', `test:${histories}`)).toBeLessThanOrEqual(4_500);
  });
});
