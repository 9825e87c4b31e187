import type { PlanLimits } from '../policy/plan.js';
import { DAY, MINUTE, type RateLimitWindow } from '../policy/rate-limit-window.js';

/** One window as it stands after a decision. */
export interface WindowStatus {
  readonly window: RateLimitWindow;
  /** The plan's limit for this window. */
  readonly limit: number;
  /** How many more requests the window has room for. */
  readonly remaining: number;
  /** Milliseconds until it has room for one more than that; 0 when it is empty. */
  readonly resetMs: number;
}

/** Why a request was refused. */
export type RefusalCode = 'rate_limit_exceeded' | 'api_key_temporarily_banned';

/** What was decided about one request, and how its subject stands afterwards. A refusal is a value, no exception. */
export class RateLimitResult {
  constructor(
    /** Whether the request may go on. It has then been charged to both windows; otherwise to none. */
    readonly admitted: boolean,
    /** The limiter's clock at the decision: Unix time in milliseconds. */
    readonly now: number,
    readonly limits: PlanLimits,
    readonly minuteRemaining: number,
    readonly minuteResetMs: number,
    readonly dayRemaining: number,
    readonly dayResetMs: number,
    /** Milliseconds until the subject's ban ends; 0 without one. */
    readonly banMs: number,
    /** Whether this very request brought the ban. */
    readonly banStarted: boolean,
  ) {}

  get minute(): WindowStatus {
    return this.snapshot(MINUTE, this.limits.perMinute, this.minuteRemaining, this.minuteResetMs);
  }

  get day(): WindowStatus {
    return this.snapshot(DAY, this.limits.perDay, this.dayRemaining, this.dayResetMs);
  }

  /** Why the request was refused; `undefined` when it was admitted. */
  get refusal(): RefusalCode | undefined {
    if (this.admitted) return undefined;
    return this.banMs > 0 ? 'api_key_temporarily_banned' : 'rate_limit_exceeded';
  }

  /**
   * Milliseconds after which the next request is admitted, provided that no other request uses the subject
   * meanwhile; 0 when it would be admitted now.
   */
  get retryAfterMs(): number {
    let wait = this.banMs;
    if (this.minuteRemaining === 0 && this.minuteResetMs > wait) wait = this.minuteResetMs;
    if (this.dayRemaining === 0 && this.dayResetMs > wait) wait = this.dayResetMs;
    return wait;
  }

  /**
   * The window that a caller should look at: the one with the fewest remaining, the minute on a tie. Of
   * two that are used up it is the one that opens later, for nothing is admitted before.
   */
  get tightestWindow(): WindowStatus {
    if (this.minuteRemaining < this.dayRemaining) return this.minute;
    if (this.dayRemaining < this.minuteRemaining) return this.day;
    return this.minuteRemaining === 0 && this.dayResetMs > this.minuteResetMs ? this.day : this.minute;
  }

  private snapshot(window: RateLimitWindow, limit: number, remaining: number, resetMs: number): WindowStatus {
    // A banned subject has nothing left in either window before the ban ends.
    if (this.banMs > 0) {
      return { window, limit, remaining: 0, resetMs: Math.max(this.banMs, remaining === 0 ? resetMs : 0) };
    }
    return { window, limit, remaining, resetMs };
  }
}
