import { DAY, MINUTE, type RateLimitSubject, type RateLimitWindow } from './subject.js';

/** State of a subject after a decision. */
export interface SubjectState {
  /** Unix time of the decision, in milliseconds. */
  readonly now: number;
  /** Requests in the window, and milliseconds until it has room for one more than now; 0 when it is empty. */
  readonly minuteUsed: number;
  readonly minuteResetMs: number;
  readonly dayUsed: number;
  readonly dayResetMs: number;
  /** Milliseconds until the ban ends; 0 without one. */
  readonly banMs: number;
  /** How many bans there were in a row. */
  readonly bans: number;
}

/** One window after a decision. */
export interface WindowStatus {
  readonly window: RateLimitWindow;
  readonly limit: number;
  /** Requests in the window, this one included if it was admitted. */
  readonly used: number;
  /** How many more requests the window has room for. */
  readonly remaining: number;
  /** Milliseconds until it has room for one more than that; 0 when it is empty. */
  readonly resetMs: number;
}

/** Why a request was refused. */
export type RateLimitErrorCode = 'rate_limit_exceeded' | 'api_key_temporarily_banned';

/** What became of one request, and the state of a subject afterwards. A refusal is a value, no exception. */
export class RateLimitResult {
  /** The limiter's clock at the decision: Unix time in milliseconds. */
  readonly now: number;
  readonly minute: WindowStatus;
  readonly day: WindowStatus;
  /** Milliseconds until the subject's ban ends; 0 without one. */
  readonly banMs: number;
  /** How many bans there were in a row, the present one included. */
  readonly bans: number;

  /**
   * @param subject the one that refused the request, else the last of its subjects
   * @param admitted whether the request may go on; it has then been counted in both windows of all subjects, otherwise in none
   * @param banStarted whether this request brought the ban
   * @param later how many requests were admitted after this one, by the same decision
   */
  constructor(
    readonly subject: RateLimitSubject,
    state: SubjectState,
    readonly admitted: boolean,
    readonly banStarted = false,
    later = 0,
    banMs = state.banMs,
  ) {
    const { perMinute, perDay } = subject.limits;
    this.now = state.now;
    this.banMs = banMs;
    this.bans = state.bans;
    this.minute = statusOf(MINUTE, perMinute, state.minuteUsed - later, state.minuteResetMs, banMs);
    this.day = statusOf(DAY, perDay, state.dayUsed - later, state.dayResetMs, banMs);
  }

  /** What a request would get: admitted when both windows have room, and no ban is in force. */
  static ofLook(subject: RateLimitSubject, state: SubjectState): RateLimitResult {
    const { perMinute, perDay } = subject.limits;
    const hasRoom = state.banMs === 0 && state.minuteUsed < perMinute && state.dayUsed < perDay;
    return new RateLimitResult(subject, state, hasRoom);
  }

  /** Why the request was refused; `undefined` when it was admitted. */
  get refusal(): RateLimitErrorCode | undefined {
    if (this.admitted) return undefined;
    return this.banMs > 0 ? 'api_key_temporarily_banned' : 'rate_limit_exceeded';
  }

  /**
   * Milliseconds after which the next request is admitted, provided that no other request uses the subject
   * meanwhile; 0 when it would be admitted now.
   */
  get retryAfterMs(): number {
    const { minute, day } = this;
    return Math.max(minute.remaining === 0 ? minute.resetMs : 0, day.remaining === 0 ? day.resetMs : 0);
  }

  /** The same as `Retry-After` has it: whole seconds, rounded up, at least 1 (RFC 9110, section 10.2.3). */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.retryAfterMs / 1000));
  }

  /**
   * The window with the fewest remaining requests, the minute on a tie. If both are used up, the one that opens later,
   * because nothing is admitted before.
   */
  get tightestWindow(): WindowStatus {
    const { minute, day } = this;
    if (minute.remaining !== day.remaining) return minute.remaining < day.remaining ? minute : day;
    return minute.remaining === 0 && day.resetMs > minute.resetMs ? day : minute;
  }
}

function statusOf(
  window: RateLimitWindow,
  limit: number,
  used: number,
  resetMs: number,
  banMs: number,
): WindowStatus {
  const remaining = Math.max(0, limit - used);
  if (banMs === 0) return { window, limit, used, remaining, resetMs };
  // A banned subject has nothing left in either window before the ban ends.
  return { window, limit, used, remaining: 0, resetMs: Math.max(banMs, remaining === 0 ? resetMs : 0) };
}
