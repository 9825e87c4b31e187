import type { Cluster, Redis } from 'ioredis';
import { LocalCounters } from '../local/local-counters.js';
import { type BanPolicy, DEFAULT_BAN_POLICY } from '../policy/ban-policy.js';
import { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from '../redis/circuit-breaker.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { RedisCounters } from '../redis/redis-counters.js';
import type { RateLimitObserver } from './rate-limit-observer.js';
import { RateLimiter } from './rate-limiter.js';

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /**
   * An ioredis client that says where Redis is and how to log in; limits are kept in the process without. The limiter
   * opens connections of its own, with the settings that it needs, and never uses or closes this client.
   */
  readonly redis?: Redis | Cluster | undefined;
  /** What the names of all keys in Redis begin with: `petstore:limit:2:` unless given. */
  readonly keyPrefix?: string | undefined;
  /** When keys are banned: {@link DEFAULT_BAN_POLICY} unless given, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** How long to wait for Redis: {@link DEFAULT_REDIS_TIMEOUTS} unless given. */
  readonly timeouts?: RedisTimeouts | undefined;
  /** For tests only: Unix time in milliseconds, instead of Redis' or the system's clock. */
  readonly clock?: (() => number) | undefined;
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
  const local = new LocalCounters({ banPolicy, clock });
  if (redis === undefined) return new RateLimiter(local, undefined, observer);
  const connection = new RedisConnection(redis, { prefix, banPolicy, clock });
  return new RateLimiter(local, new RedisCounters(connection, local, { observer, timeouts }), observer);
}
