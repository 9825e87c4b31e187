import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimitResult,
  type RateLimitSubject,
} from '../src/index.js';

export const START = 1_700_000_000_000;

/** Only what is decided counts in a test on a clock of its own, on however busy a machine. */
export const PATIENT = { responseTimeoutMs: 10_000, probeDelayMs: 200 };

/** A limiter on a clock that the test moves; there is one from `beforeAll` on. */
export class LimiterOnClock {
  now = START;
  limiter!: RateLimiter;

  readonly pass = (milliseconds: number): void => {
    this.now += milliseconds;
  };

  readonly chargeAll = (subject: RateLimitSubject, requests: number): Promise<RateLimitResult[]> =>
    Promise.all(Array.from({ length: requests }, () => this.limiter.charge(subject)));
}

/** The same cases for limits in the process and in Redis. */
export function describeBoth(cases: (clocked: LimiterOnClock) => void): void {
  describe.each(['the process', 'Redis'] as const)('a limiter in %s', (where) => {
    const clocked = new LimiterOnClock();
    let server: TestRedis | undefined;
    beforeAll(async () => {
      if (where === 'Redis') server = await startRedis();
      clocked.limiter = await createRateLimiter({
        clock: () => clocked.now,
        redis: server && new Redis(server.url, { lazyConnect: true }),
        timeouts: PATIENT,
        observer: {
          degraded: (reason) => {
            throw new Error(`Redis is unavailable: ${JSON.stringify(reason)}`);
          },
        },
      });
    });
    afterAll(async () => {
      await clocked.limiter.close();
      await server?.stop();
    });
    beforeEach(() => {
      clocked.now = START;
    });
    cases(clocked);
  });
}
