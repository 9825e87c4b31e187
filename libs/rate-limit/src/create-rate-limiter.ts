import { type BanPolicy, DEFAULT_BAN_POLICY } from './ban-policy.js';
import type { Clock } from './clock.js';
import { InProcessStore } from './in-process/in-process-store.js';
import type { RateLimitObserver } from './rate-limit-observer.js';
import { RateLimiter } from './rate-limiter.js';

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /** `redis://` or `rediss://`, several separated by commas for a cluster; limits are kept in the process without. */
  readonly redisUrl?: string | undefined;
  /** When keys are banned: {@link DEFAULT_BAN_POLICY} unless said, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** For tests only: where time comes from, instead of Redis or the system's clock. */
  readonly clock?: Clock | undefined;
}

/** A limiter on Redis or, without a `redisUrl`, in this process. Redis need not be there; it is used as soon as it is. */
export function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const { bans = DEFAULT_BAN_POLICY, clock, observer } = options;
  const banPolicy = bans === 'off' ? undefined : bans;
  return Promise.resolve(new RateLimiter(new InProcessStore({ clock, banPolicy }), observer));
}
