import { LocalLimiter } from './local-limiter.js';
import type { RateLimitResult } from './rate-limit-result.js';
import {
  DEFAULT_KEY_PREFIX,
  DEFAULT_REDIS_TIMEOUTS,
  type RateLimiterOptions,
  type RateLimitObserver,
} from './rate-limiter.options.js';
import { RedisLimiter } from './redis-limiter.js';
import { checkLimits, DEFAULT_BAN_POLICY, type RateLimitSubject, type RateLimitSubjects } from './subject.js';

/**
 * Two true sliding windows for every subject: in no 60 seconds and in no 24 hours are more requests admitted than its limits
 * allow (docs/contract.md, "Limits"). Redis decides while it responds, this process otherwise.
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
    const result = await this.deciderOf(all).consume(all);
    const { subject } = result;
    if (result.banStarted) this.observer.banned?.(subject, result);
    this.observer.decided?.(subject, result);
    return result;
  }

  /** @throws RangeError */
  private deciderOf(subjects: readonly RateLimitSubject[]): LocalLimiter | RedisLimiter {
    let isAnonymous = false;
    for (const subject of subjects) {
      checkLimits(subject.limits);
      if (subject.isAnonymous === true) isAnonymous = true;
    }
    return this.redis === undefined || isAnonymous ? this.local : this.redis;
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
