import { LocalLimiter } from './local-limiter.js';
import type { RateLimitResult } from './rate-limit-result.js';
import { RedisLimiter } from './redis-limiter.js';
import {
  type BanPolicy,
  checkLimits,
  DEFAULT_BAN_POLICY,
  type RateLimitSubject,
  type RateLimitSubjects,
} from './subject.js';

/**
 * A client of ioredis, `Redis` or `Cluster`, by what the limiter asks of it first: ioredis is an optional peer, and
 * declarations that name its types would not compile without it.
 */
export interface IoredisClient {
  readonly isCluster: boolean;
  readonly options: object;
  duplicate(): unknown;
}

/** How long to wait for a Redis server, and how often to try one that is unavailable. */
export interface RedisTimeouts {
  /** A decision without a response after so many milliseconds is made in the process. */
  readonly responseTimeoutMs: number;
  /** Milliseconds between two tests of a server that is unavailable. */
  readonly retryAfterMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 250, retryAfterMs: 200 };

/** Why limits are kept in the process instead of Redis. */
export interface Degradation {
  /** The Redis node that is unavailable: `host:port`. */
  readonly node: string;
  /** What happened, for a log line: an error's message, or that there was no response in time. */
  readonly reason: string;
  /** Whether it responds, but refuses the connection, its user or its database: its settings or the limiter's are wrong. */
  readonly refused: boolean;
}

/** The end of a {@link Degradation}. */
export interface Recovery {
  readonly node: string;
  /** How long it lasted, in milliseconds. */
  readonly afterMs: number;
}

/** Is called with what the limiter does: for metrics and log lines. No method may throw. */
export interface RateLimitObserver {
  /** After every decision, admitted or not; a refusal and the request that brought a ban are seen in the result. */
  decided?(subject: RateLimitSubject, result: RateLimitResult): void;
  /** A subject was banned just now; `decided` follows for the same result. */
  banned?(subject: RateLimitSubject, result: RateLimitResult): void;
  /** Once when a Redis node becomes unavailable, and not again before it has come back. */
  degraded?(degradation: Degradation): void;
  /** Once when it has come back. */
  recovered?(recovery: Recovery): void;
  /**
   * Redis had lost a part of what it had counted for a subject (its values were evicted, or replaced by another program), or
   * its clock was set back by more than a second: the subject has begun anew.
   */
  lost?(subject: RateLimitSubject): void;
}

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /**
   * An ioredis client that says where Redis is and how to log in; limits are kept in the process without. The limiter
   * opens connections of its own, with the settings that it needs, and neither uses nor closes this client.
   */
  readonly redis?: IoredisClient | undefined;
  /** What the names of all keys in Redis begin with: {@link DEFAULT_KEY_PREFIX} unless given. */
  readonly keyPrefix?: string | undefined;
  /** When subjects are banned that can be: {@link DEFAULT_BAN_POLICY} unless given, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** How long to wait for Redis: {@link DEFAULT_REDIS_TIMEOUTS} unless given. */
  readonly timeouts?: RedisTimeouts | undefined;
  /** For tests only: Unix time in milliseconds, instead of Redis' or the system's clock. */
  readonly clock?: (() => number) | undefined;
}

export const DEFAULT_KEY_PREFIX = 'rate-limit:';

/**
 * Two true sliding windows for every subject: in no 60 seconds and in no 24 hours are more requests admitted than its limits
 * allow (specification, section 8). Redis decides while it responds, this process otherwise.
 */
export class RateLimiter {
  private readonly local: LocalLimiter;
  private readonly redis: RedisLimiter | undefined;
  private readonly observer: RateLimitObserver;
  private opening: Promise<void> | undefined;

  /** Makes no connection before `open`. */
  constructor({
    redis,
    keyPrefix = DEFAULT_KEY_PREFIX,
    bans = DEFAULT_BAN_POLICY,
    observer = {},
    timeouts = DEFAULT_REDIS_TIMEOUTS,
    clock,
  }: RateLimiterOptions = {}) {
    const banPolicy = bans === 'off' ? undefined : bans;
    this.observer = observer;
    this.local = new LocalLimiter(banPolicy, clock);
    const options = { keyPrefix, banPolicy, clock, observer, timeouts };
    this.redis = redis && new RedisLimiter(redis, this.local, options);
  }

  /** Connects to Redis where there is one: within about a second, with it or without. May be called again. */
  open(): Promise<void> {
    return (this.opening ??= this.redis?.connect() ?? Promise.resolve());
  }

  /**
   * Decides about one request, and counts it in both windows of all its subjects or in none. With an anonymous subject this
   * process decides.
   *
   * @throws RangeError (as a rejection) for limits that are no whole numbers from 1 to 999,999,999
   */
  async consume(subjects: RateLimitSubjects): Promise<RateLimitResult> {
    const all = 'id' in subjects ? [subjects] : subjects;
    let isAnonymous = false;
    for (const subject of all) {
      checkLimits(subject.limits);
      if (subject.isAnonymous === true) isAnonymous = true;
    }
    const { redis, observer } = this;
    const result = redis === undefined || isAnonymous ? this.local.consume(all) : await redis.consume(all);
    const { subject } = result;
    if (result.banStarted) observer.banned?.(subject, result);
    observer.decided?.(subject, result);
    return result;
  }

  /**
   * The result that a request would get now, as far as this process knows at once: by its own count where that decides,
   * else by what Redis said last.
   */
  peek(subject: RateLimitSubject): RateLimitResult {
    const isShared = subject.isAnonymous !== true && this.redis?.isDeciding(subject) === true;
    return (isShared ? this.local.recall(subject) : undefined) ?? this.local.look(subject);
  }

  /** The same by the count that decides; where Redis does not respond, by this process' own. */
  async inspect(subject: RateLimitSubject): Promise<RateLimitResult> {
    return (await this.redis?.inspect(subject)) ?? this.local.look(subject);
  }

  /** Ends a ban, and forgets the refusals and bans before it. Resolves to whether there was one. */
  async liftBan(id: string): Promise<boolean> {
    const liftedInRedis = (await this.redis?.liftBan(id)) ?? false;
    return this.local.liftBan(id) || liftedInRedis;
  }

  /** Closes connections, and forgets what is counted in the process. May be called again. */
  close(): Promise<void> {
    this.redis?.close();
    this.local.clear();
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
}

/** A limiter that is ready. Redis need not be there; it is used once it is. To be closed by the caller. */
export async function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const limiter = new RateLimiter(options);
  await limiter.open();
  return limiter;
}
