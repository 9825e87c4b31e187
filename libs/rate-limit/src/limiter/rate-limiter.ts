import type { Cluster, Redis } from 'ioredis';
import { LocalCounters } from '../local/local-counters.js';
import { type BanPolicy, DEFAULT_BAN_POLICY, type RateLimitSubject } from '../policy.js';
import { RedisCounters } from '../redis/redis-counters.js';
import type { RateLimitObserver } from './rate-limit-observer.js';
import type { RateLimitResult } from './rate-limit-result.js';
import { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from '../redis/circuit-breaker.js';
import { RedisConnection } from '../redis/redis-connection.js';

/**
 * Two true sliding windows for every subject: in no 60 seconds and in no 24 hours are more requests admitted than its plan
 * allows (specification, section 8). Made by `createRateLimiter`. No method rejects.
 */
export class RateLimiter {
  private opening: Promise<void> | undefined;

  /**
   * @param local decides where there is no Redis or it is unavailable; otherwise a request has to pass both
   * @param redis `undefined` for limits of this process alone
   */
  constructor(
    private readonly local: LocalCounters,
    private readonly redis: RedisCounters | undefined,
    private readonly observer: RateLimitObserver,
  ) {}

  /** Connects to Redis where there is one: within about a second, with it or without. May be called again. */
  open(): Promise<void> {
    return (this.opening ??= this.redis?.connect() ?? Promise.resolve());
  }

  /** Decides about one request, and charges it to both windows or to none. */
  charge(subject: RateLimitSubject): Promise<RateLimitResult> {
    const { local, redis } = this;
    if (redis === undefined) return Promise.resolve(this.observed(subject, local.charge(subject)));
    return new Promise((resolve) => {
      redis.charge(subject, (result) => {
        resolve(this.observed(subject, result));
      });
    });
  }

  /** The result that a request would get now, without making one. */
  peek(subject: RateLimitSubject): Promise<RateLimitResult> {
    const { local, redis } = this;
    if (redis === undefined) return Promise.resolve(local.peek(subject));
    return new Promise((resolve) => {
      redis.peek(subject, resolve);
    });
  }

  /**
   * The same by this process' counters, at once: what other processes have admitted since the subject's last request
   * here is missing.
   */
  recall(subject: RateLimitSubject): RateLimitResult {
    return this.local.peek(subject);
  }

  /** Ends a ban, and forgets the refusals and bans before it. Resolves to whether there was one. */
  async liftBan(id: string): Promise<boolean> {
    const liftedInRedis = (await this.redis?.liftBan(id)) ?? false;
    return this.local.liftBan(id) || liftedInRedis;
  }

  /** Closes connections, and forgets what is counted in the process. May be called again. */
  close(): Promise<void> {
    this.redis?.close();
    this.local.close();
    return Promise.resolve();
  }

  /** Nest calls it when the application starts. */
  onModuleInit(): Promise<void> {
    return this.open();
  }

  /** Nest calls it when the application has stopped. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private observed(subject: RateLimitSubject, result: RateLimitResult): RateLimitResult {
    if (result.banStarted) this.observer.banned?.(subject, result);
    this.observer.decided?.(subject, result);
    return result;
  }
}

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

/** The number is the version of the values' layout. */
const DEFAULT_KEY_PREFIX = 'petstore:limit:2:';

/** A limiter that is ready. Redis need not be there; it is used once it is. To be closed by the caller. */
export async function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const limiter = buildRateLimiter(options);
  await limiter.open();
  return limiter;
}

/** A limiter without connections, which `open` makes. */
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
