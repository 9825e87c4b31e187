import type { RateLimitObserver } from './rate-limit-observer.js';
import type { RateLimitResult } from './rate-limit-result.js';
import { NO_LIMITS } from '../policy/plan.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';

/** A ban in force. */
export interface Ban {
  /** Milliseconds until it ends by itself. */
  readonly remainingMs: number;
  /** How many bans there were in a row, this one included. */
  readonly count: number;
}

/**
 * Two true sliding windows for every subject: in no 60 seconds and in no 24 hours are more requests
 * admitted than its plan allows (specification, section 8). No method rejects.
 */
export abstract class RateLimiter {
  private opening: Promise<void> | undefined;

  constructor(protected readonly observer: RateLimitObserver) {}

  /** Connects to Redis where there is one: within a second, with it or without. May be called again. */
  open(): Promise<void> {
    return (this.opening ??= this.connect());
  }

  /** Decides about one request, and charges it to both windows or to none. */
  charge(subject: RateLimitSubject): Promise<RateLimitResult> {
    return this.decide(subject).then((result) => {
      if (result.banStarted) this.observer.banned?.(subject, result);
      this.observer.decided?.(subject, result);
      return result;
    });
  }

  /** The result that a request would get now, without making one. */
  abstract peek(subject: RateLimitSubject): Promise<RateLimitResult>;

  /**
   * The same as far as this process knows, at once: it does not know what other processes have admitted since
   * the subject's last request here.
   */
  abstract recall(subject: RateLimitSubject): RateLimitResult;

  /** The ban of the subject with this id, or `undefined`. */
  async banOf(id: string): Promise<Ban | undefined> {
    const { banMs, bans } = await this.peek({ id, limits: NO_LIMITS, bannable: true });
    return banMs > 0 ? { remainingMs: banMs, count: bans } : undefined;
  }

  /** Ends a ban, and forgets the refusals and bans before it. Resolves to whether there was one. */
  abstract liftBan(id: string): Promise<boolean>;

  /** Closes connections, and forgets what is counted in the process. May be called again. */
  abstract close(): Promise<void>;

  /** Nest calls it when the application starts. */
  onModuleInit(): Promise<void> {
    return this.open();
  }

  /** Nest calls it when the application has stopped. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  protected connect(): Promise<void> {
    return Promise.resolve();
  }

  protected abstract decide(subject: RateLimitSubject): Promise<RateLimitResult>;
}
