import type { LocalCounters } from '../local/local-counters.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RedisCounters } from '../redis/redis-counters.js';
import type { RateLimitObserver } from './rate-limit-observer.js';
import type { RateLimitResult } from './rate-limit-result.js';

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
   * The same as far as this process knows, at once: it does not know what other processes have admitted since the
   * subject's last request here.
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
