import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { DEFAULT_BAN_POLICY, Plan } from '../src/index.js';
import { InProcessStore } from '../src/in-process/in-process-store.js';
import { RedisStore } from '../src/redis/redis-store.js';
import type { RedisTopology } from '../src/redis/redis-topology.js';
import type { ScriptCall } from '../src/redis/script-call.js';
import { SingleRedis } from '../src/redis/single-redis.js';
import { DOZENS, judge, TINY, traffic } from './traffic.js';

/** A way to a real Redis that is cut whenever the test says so, at once and without a trace on the server. */
class CutableWay implements RedisTopology {
  cut = false;

  constructor(private readonly way: RedisTopology) {}

  groupOf(key: string): number {
    return this.way.groupOf(key);
  }

  run(calls: readonly (readonly [number, ScriptCall])[]): void {
    if (!this.cut) this.way.run(calls);
    else for (const [, call] of calls) call.fail();
  }

  connected(patienceMs: number): Promise<void> {
    return this.way.connected(patienceMs);
  }

  close(): Promise<void> {
    return this.way.close();
  }
}

describe('an instance whose Redis comes and goes, with and without its memory', () => {
  let server: TestRedis;
  let observed: Redis;
  let way: CutableWay;
  let store: RedisStore;
  let now = 0;

  beforeAll(async () => {
    server = await startRedis();
    observed = new Redis(server.url);
    way = new CutableWay(new SingleRedis(server.url, 'test:', {}, { answerMs: 5_000, probeMs: 200 }));
    await way.connected(5_000);
    const clock = () => now;
    const inProcess = new InProcessStore({ clock, banPolicy: DEFAULT_BAN_POLICY });
    store = new RedisStore({
      topology: way,
      inProcess,
      banPolicy: DEFAULT_BAN_POLICY,
      prefix: 'test:',
      clock,
    });
  });

  afterAll(async () => {
    await store.close();
    observed.disconnect();
    await server.stop();
  });

  it.each([
    ['tiny limits', TINY, 80],
    ['limits of some dozens', DOZENS, 40],
    ['the plan free', [Plan.limitsOf('free')], 30],
  ])('keeps every promise under %s', async (_, limits, numRuns) => {
    const disturbance = fc.constantFrom('none', 'none', 'none', 'cut', 'joined', 'restarted');
    await fc.assert(
      fc.asyncProperty(traffic(limits), fc.infiniteStream(disturbance), async (events, disturbances) => {
        way.cut = false;
        const disturb = async () => {
          const what = disturbances.next().value as string;
          if (what === 'cut') way.cut = true;
          if (what === 'joined') way.cut = false;
          if (what === 'restarted') {
            // What a restart without a saved memory amounts to.
            await observed.flushall();
            await observed.script('FLUSH');
            way.cut = false;
          }
        };
        await judge({ store, setClock: (to) => (now = to) }, events, { disturb });
      }),
      { numRuns },
    );
  });
});
