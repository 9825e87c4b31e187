import type { Cluster, Redis } from 'ioredis';
import type { RateLimitObserver } from './decision/rate-limit-observer.js';
import { type Clock, LocalLimiter } from './local/local-limiter.js';
import { type BanPolicy, DEFAULT_BAN_POLICY } from './policy/ban-policy.js';
import { RedisLimiter } from './redis/redis-limiter.js';
import { RedisLink } from './redis/redis-link.js';
import { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from './redis/redis-node.js';
import type { RateLimiter } from './decision/rate-limiter.js';

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /**
   * An ioredis client that says where Redis is and how to log in; limits are kept in the process without. The limiter
   * opens connections of its own, with the settings that it needs, and never uses or closes this client.
   */
  readonly redis?: Redis | Cluster | undefined;
  /** What the names of all keys in Redis begin with: `petstore:limit:2:` unless said. */
  readonly keyPrefix?: string | undefined;
  /** When keys are banned: {@link DEFAULT_BAN_POLICY} unless said, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** How long to wait for Redis: {@link DEFAULT_REDIS_TIMEOUTS} unless said. */
  readonly timeouts?: RedisTimeouts | undefined;
  /** For tests only: where time comes from, instead of Redis or the system's clock. */
  readonly clock?: Clock | undefined;
}

/** The number is that of the layout of the values: another layout takes the next one. */
const DEFAULT_KEY_PREFIX = 'petstore:limit:2:';

/** A limiter that is ready. Redis need not be there; it is used once it is. To be closed by the caller. */
export async function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const limiter = buildRateLimiter(options);
  await limiter.open();
  return limiter;
}

/** A limiter that is still to be opened: it has no connection yet, so that nothing is lost with it. */
export function buildRateLimiter({
  redis,
  keyPrefix: prefix = DEFAULT_KEY_PREFIX,
  bans = DEFAULT_BAN_POLICY,
  observer = {},
  timeouts = DEFAULT_REDIS_TIMEOUTS,
  clock,
}: RateLimiterOptions): RateLimiter {
  const banPolicy = bans === 'off' ? undefined : bans;
  const options = { prefix, banPolicy, observer, timeouts, clock };
  return redis ? new RedisLimiter(new RedisLink(redis, options), options) : new LocalLimiter(options);
}
