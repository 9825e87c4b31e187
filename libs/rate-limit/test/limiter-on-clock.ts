import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import type { RateLimiter, RateLimitResult, RateLimitSubject } from '../src/index.js';
import type { ChangeLog } from './change-log.js';
import { PATIENT, startLimiter } from './start-limiter.js';

export const START = 1_700_000_000_000;

/** A limiter on a clock that the test moves; there is one from `beforeAll` on. */
export class LimiterOnClock {
  now = START;
  limiter!: RateLimiter;

  readonly pass = (milliseconds: number): void => {
    this.now += milliseconds;
  };

  readonly consumeAll = (subject: RateLimitSubject, requests: number): Promise<RateLimitResult[]> =>
    Promise.all(Array.from({ length: requests }, () => this.limiter.consume(subject)));
}

/** The same cases for limits in the process and in Redis. */
export function describeBoth(cases: (clocked: LimiterOnClock) => void): void {
  describe.each(['the process', 'Redis'] as const)('a limiter in %s', (where) => {
    const clocked = new LimiterOnClock();
    let server: TestRedis | undefined;
    let changes: ChangeLog;
    beforeAll(async () => {
      if (where === 'Redis') server = await startRedis();
      const redis = server && new Redis(server.url, { lazyConnect: true });
      const clock = (): number => clocked.now;
      ({ limiter: clocked.limiter, changes } = await startLimiter({ clock, redis, timeouts: PATIENT }));
    });
    afterAll(async () => {
      await clocked.limiter.close();
      await server?.stop();
      expect(changes.reasons).toEqual([]);
    });
    beforeEach(() => {
      clocked.now = START;
    });
    cases(clocked);
  });
}
