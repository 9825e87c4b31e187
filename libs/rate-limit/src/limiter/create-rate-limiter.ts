import type { Cluster, Redis } from 'ioredis';
import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import { InProcessStore } from '../in-process/in-process-store.js';
import { type BanPolicy, DEFAULT_BAN_POLICY } from '../policy/ban-policy.js';
import { RedisCluster } from '../redis/connection/redis-cluster.js';
import { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from '../redis/connection/redis-timeouts.js';
import { SingleRedis } from '../redis/connection/single-redis.js';
import { RedisStore } from '../redis/redis-store.js';
import { chargeScript } from '../redis/script/charge.lua.js';
import { RedisScript } from '../redis/script/redis-script.js';
import type { Clock } from '../windows/clock.js';
import { RateLimiter } from './rate-limiter.js';

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /**
   * An ioredis client that says where Redis is and how to log in; limits are kept in the process without. The limiter
   * opens connections of its own, with the settings that it needs, and never uses or closes this client.
   */
  readonly redis?: Redis | Cluster | undefined;
  /** What the names of all keys in Redis begin with: `petstore:limit:` unless said. */
  readonly keyPrefix?: string | undefined;
  /** When keys are banned: {@link DEFAULT_BAN_POLICY} unless said, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** How long to wait for Redis: {@link DEFAULT_REDIS_TIMEOUTS} unless said. */
  readonly timeouts?: RedisTimeouts | undefined;
  /** For tests only: where time comes from, instead of Redis or the system's clock. */
  readonly clock?: Clock | undefined;
}

const DEFAULT_KEY_PREFIX = 'petstore:limit:';

/** A limiter that is ready. Redis need not be there; it is used once it is. To be closed by the caller. */
export async function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const limiter = buildRateLimiter(options);
  await limiter.open();
  return limiter;
}

/** A limiter that is still to be opened: it has no connection yet, so that nothing is lost with it. */
export function buildRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { redis, bans = DEFAULT_BAN_POLICY, clock, observer = {} } = options;
  const { keyPrefix: prefix = DEFAULT_KEY_PREFIX, timeouts = DEFAULT_REDIS_TIMEOUTS } = options;
  const banPolicy = bans === 'off' ? undefined : bans;
  const inProcess = new InProcessStore({ clock, banPolicy });
  if (redis === undefined) return new RateLimiter(inProcess, observer);
  const script = new RedisScript(chargeScript(banPolicy));
  const parts = { prefix, observer, timeouts, script };
  const topology = isCluster(redis) ? new RedisCluster(redis, parts) : new SingleRedis(redis, parts);
  return new RateLimiter(new RedisStore({ topology, inProcess, script, prefix, clock }), observer);
}

/** By its own word: an application's ioredis may be another copy, whose classes are others. */
function isCluster(client: Redis | Cluster): client is Cluster {
  return client.isCluster;
}
