import { type BanPolicy, DEFAULT_BAN_POLICY } from '../policy/ban-policy.js';
import type { Clock } from '../windows/clock.js';
import { InProcessStore } from '../in-process/in-process-store.js';
import { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from '../redis/connection/redis-node.js';
import { chargeScript } from '../redis/script/charge.lua.js';
import { RedisCluster } from '../redis/connection/redis-cluster.js';
import { RedisScript } from '../redis/script/redis-script.js';
import { RedisStore } from '../redis/redis-store.js';
import { SingleRedis } from '../redis/connection/single-redis.js';
import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import { RateLimiter } from './rate-limiter.js';

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /** `redis://` or `rediss://`, several separated by commas for a cluster; limits are kept in the process without. */
  readonly redisUrl?: string | undefined;
  /** When keys are banned: {@link DEFAULT_BAN_POLICY} unless said, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** How long to wait for Redis: {@link DEFAULT_REDIS_TIMEOUTS} unless said. */
  readonly timeouts?: RedisTimeouts | undefined;
  /** For tests only: where time comes from, instead of Redis or the system's clock. */
  readonly clock?: Clock | undefined;
}

/** What the names of all keys in Redis begin with. */
const PREFIX = 'petstore:limit:';
/**
 * How long to wait for Redis at the start; after that, the observer is told, and limits are kept in the process until it
 * is there.
 */
const CONNECT_TIMEOUT_MS = 1_000;

/** A limiter on Redis or, without a `redisUrl`, in this process. Redis need not be there; it is used once it is. */
export async function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const {
    redisUrl,
    bans = DEFAULT_BAN_POLICY,
    clock,
    observer = {},
    timeouts = DEFAULT_REDIS_TIMEOUTS,
  } = options;
  const banPolicy = bans === 'off' ? undefined : bans;
  const inProcess = new InProcessStore({ clock, banPolicy });
  if (redisUrl === undefined) return new RateLimiter(inProcess, observer);
  const [url = '', ...others] = redisUrl.split(',').map((part) => part.trim());
  const script = new RedisScript(chargeScript(banPolicy));
  const parts = { prefix: PREFIX, observer, timeouts, script };
  const topology =
    others.length === 0 ? new SingleRedis(url, parts) : new RedisCluster([url, ...others], parts);
  await topology.connected(CONNECT_TIMEOUT_MS);
  const store = new RedisStore({ topology, inProcess, script, prefix: PREFIX, clock });
  return new RateLimiter(store, observer);
}
