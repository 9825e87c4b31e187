import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import type { Ban, RateLimitStore } from '../decision/rate-limit-store.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RateLimitResult } from '../decision/rate-limit-result.js';

/**
 * Two true sliding windows for every subject: in no 60 seconds and in no 24 hours are more requests
 * admitted than its plan allows (specification, section 8). No method rejects.
 */
export class RateLimiter {
  private opening: Promise<void> | undefined;

  constructor(
    private readonly store: RateLimitStore,
    private readonly observer: RateLimitObserver = {},
  ) {}

  /** Connects to Redis where there is one: within a second, with it or without. May be called again. */
  open(): Promise<void> {
    return (this.opening ??= this.store.open());
  }

  /** Decides about one request, and charges it to both windows or to none. */
  charge(subject: RateLimitSubject): Promise<RateLimitResult> {
    return this.store.charge(subject).then((result) => {
      if (result.banStarted) this.observer.banned?.(subject, result);
      this.observer.decided?.(subject, result);
      return result;
    });
  }

  /** The result that a request would get now, without making one. */
  peek(subject: RateLimitSubject): Promise<RateLimitResult> {
    return this.store.peek(subject);
  }

  /**
   * The same as far as this process knows, at once: it does not know what other processes have admitted since
   * the subject's last request here.
   */
  recall(subject: RateLimitSubject): RateLimitResult {
    return this.store.recall(subject);
  }

  /** The ban of the subject with this id, or `undefined`. */
  banOf(id: string): Promise<Ban | undefined> {
    return this.store.banOf(id);
  }

  /** Ends a ban, and forgets the refusals and bans before it. Resolves to whether there was one. */
  liftBan(id: string): Promise<boolean> {
    return this.store.liftBan(id);
  }

  /** Closes connections, and forgets what is counted in the process. May be called again. */
  close(): Promise<void> {
    return this.store.close();
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
