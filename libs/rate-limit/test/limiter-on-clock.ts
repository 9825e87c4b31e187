import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import {
  DEFAULT_BAN_POLICY,
  Plan,
  type RateLimiter,
  type RateLimitResult,
  type RateLimitSubject,
} from '../src/index.js';
import { LocalLimiter } from '../src/local/local-limiter.js';
import { admittedOf } from './requests.js';
import { singleRedisAt } from './redis-at.js';
import { redisLimiterAt } from './redis-limiter-at.js';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const START = 1_700_000_000_000;
export const business = Plan.limitsOf('business');

/** A limiter on a clock that the test moves. */
export class LimiterOnClock {
  now = START;
  private opened: RateLimiter | undefined;
  private server: TestRedis | undefined;

  constructor(readonly place: 'the process' | 'Redis') {
    const banPolicy = DEFAULT_BAN_POLICY;
    const clock = (): number => this.now;
    beforeAll(async () => {
      if (place === 'Redis') {
        this.server = await startRedis();
        this.opened = await redisLimiterAt(singleRedisAt(this.server.url), clock, banPolicy);
      } else this.opened = new LocalLimiter({ clock, banPolicy });
    });
    afterAll(async () => {
      await this.opened?.close();
      await this.server?.stop();
    });
    beforeEach(() => {
      this.now = START;
    });
  }

  get limiter(): RateLimiter {
    if (this.opened === undefined) throw new Error('not before beforeAll');
    return this.opened;
  }

  readonly setClock = (now: number): void => {
    this.now = now;
  };

  readonly pass = (milliseconds: number): void => {
    this.now += milliseconds;
  };

  readonly chargeAll = (subject: RateLimitSubject, requests: number): Promise<RateLimitResult[]> =>
    Promise.all(Array.from({ length: requests }, () => this.limiter.charge(subject)));

  readonly admittedOf = (subject: RateLimitSubject, requests: number): Promise<number> =>
    admittedOf(this.limiter, subject, requests);
}

/** The same cases for limits in the process and in Redis. */
export function describeBoth(cases: (clocked: LimiterOnClock) => void): void {
  describe.each(['the process', 'Redis'] as const)('a limiter in %s', (place) => {
    cases(new LimiterOnClock(place));
  });
}
