import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { DEFAULT_BAN_POLICY, Plan } from '../src/index.js';
import { InProcessStore } from '../src/in-process/in-process-store.js';
import { chargeScript } from '../src/redis/script/charge.lua.js';
import { RedisScript } from '../src/redis/script/redis-script.js';
import { RedisStore } from '../src/redis/redis-store.js';
import type { RedisTopology } from '../src/redis/connection/redis-topology.js';
import type { ScriptCall } from '../src/redis/connection/script-call.js';
import { SingleRedis } from '../src/redis/connection/single-redis.js';
import { DOZENS, judge, TINY, traffic } from './traffic.js';
import { singleRedisAt } from './redis-at.js';

const script = new RedisScript(chargeScript(DEFAULT_BAN_POLICY));

/** How a Redis loses what it knew: all of it, one value, or what came after a copy that it goes on from. */
const LOSSES = ['restarted', 'flushed', 'deleted', 'saved', 'restored'];
const EMPTYING = new Set(['restarted', 'flushed', 'deleted']);
const EMPTY = Buffer.alloc(0);

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

  connect(timeoutMs: number): Promise<void> {
    return this.way.connect(timeoutMs);
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
    way = new CutableWay(
      new SingleRedis(singleRedisAt(server.url), {
        ...{ prefix: 'test:', observer: {}, script },
        timeouts: { responseTimeoutMs: 5_000, probeDelayMs: 200 },
      }),
    );
    await way.connect(5_000);
    const clock = () => now;
    const inProcess = new InProcessStore({ clock, banPolicy: DEFAULT_BAN_POLICY });
    store = new RedisStore({
      topology: way,
      inProcess,
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

  it.each([
    ['tiny limits', TINY, 100],
    ['limits of some dozens', DOZENS, 60],
    ['the plan free', [Plan.limitsOf('free')], 30],
  ])('keeps every promise under %s', async (_, limits, numRuns) => {
    const disturbance = fc.constantFrom(...Array<string>(6).fill('none'), 'cut', 'joined', ...LOSSES);
    await fc.assert(
      fc.asyncProperty(traffic(limits), fc.infiniteStream(disturbance), async (events, disturbances) => {
        way.cut = false;
        await observed.flushall();
        const saved = new Map<string, Buffer>();
        const disturb = async () => {
          const what = disturbances.next().value as string;
          // What an operator puts back after that is counted twice, which is not what is judged here.
          if (EMPTYING.has(what)) saved.clear();
          if (what === 'cut') way.cut = true;
          if (what === 'joined') way.cut = false;
          if (what === 'restarted') {
            // What a restart without a saved memory amounts to.
            await observed.flushall();
            await observed.script('FLUSH');
            way.cut = false;
          }
          // The scripts stay, so that nothing but the values themselves tells of it.
          if (what === 'flushed') await observed.flushall();
          if (what === 'deleted') await observed.del(...(await observed.keys('*')), 'none');
          if (what === 'saved') {
            for (const key of await observed.keys('*'))
              saved.set(key, (await observed.getBuffer(key)) ?? EMPTY);
          }
          if (what === 'restored') {
            for (const [key, value] of saved) {
              const present = (await observed.getBuffer(key)) ?? EMPTY;
              // A replica that lacks only what came in its last millisecond is taken for a complete one.
              if (!present.subarray(1, 9).equals(value.subarray(1, 9))) await observed.set(key, value);
            }
          }
        };
        await judge({ store, setClock: (to) => (now = to) }, events, { disturb });
      }),
      { numRuns },
    );
  });
});
