import { DAY, MINUTE, type PlanLimits, type RateLimitWindow } from '../policy.js';

/** How full a window is. */
export interface WindowUse {
  /** Requests in it. */
  readonly used: number;
  /** Milliseconds until it has room for one more than now; 0 when it is empty. */
  readonly resetMs: number;
}

/** State of a subject after requests that were decided together. */
export interface WindowSnapshot {
  /** Unix time of the decision, in milliseconds. */
  readonly now: number;
  /** How many of the requests were admitted: always the first ones. */
  readonly admitted: number;
  /** How many of the others were refused before a ban was in force. */
  readonly plainRefusals: number;
  readonly minute: WindowUse;
  readonly day: WindowUse;
  /** Milliseconds until the ban ends; 0 without one. */
  readonly banMs: number;
  /** How many bans there were in a row, the present one included; 0 without one in force. */
  readonly bans: number;
  /** Whether the ban began with these requests. */
  readonly banStarted: boolean;
}

/** A snapshot of Redis' counters. */
export interface RedisSnapshot extends WindowSnapshot {
  /** When the value was made that holds the counters, by Redis' clock; 0 where there is none. */
  readonly incarnation: number;
}

/** One window after a decision. */
export interface WindowStatus {
  readonly window: RateLimitWindow;
  /** The plan's limit for this window. */
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

/** The decision about one request, and the state of its subject afterwards. A refusal is a value, no exception. */
export class RateLimitResult {
  /** Whether the request may go on. It has then been charged to both windows; otherwise to none. */
  readonly admitted: boolean;
  /** The limiter's clock at the decision: Unix time in milliseconds. */
  readonly now: number;
  readonly minute: WindowStatus;
  readonly day: WindowStatus;
  /** Milliseconds until the subject's ban ends; 0 without one. */
  readonly banMs: number;
  /** How many bans there were in a row, the present one included. */
  readonly bans: number;
  /** Whether this request brought the ban. */
  readonly banStarted: boolean;

  /** @param index the request's number (from 0) among those that the snapshot is of; `undefined` for a mere look */
  constructor(
    snapshot: WindowSnapshot,
    readonly limits: PlanLimits,
    index?: number,
  ) {
    const { admitted, plainRefusals, minute, day, banMs } = snapshot;
    const isCharged = index !== undefined && index < admitted;
    const refusedBefore = (index ?? Infinity) - admitted;
    // An admitted request sees the windows before those that came after it.
    const later = isCharged ? admitted - 1 - index : 0;
    this.now = snapshot.now;
    this.banMs = isCharged || refusedBefore < plainRefusals ? 0 : banMs;
    this.bans = snapshot.bans;
    this.banStarted = snapshot.banStarted && refusedBefore === plainRefusals;
    this.minute = statusOf(MINUTE, minute, limits.perMinute, later, this.banMs);
    this.day = statusOf(DAY, day, limits.perDay, later, this.banMs);
    this.admitted = isCharged || (index === undefined && this.minute.remaining > 0 && this.day.remaining > 0);
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
  { used: usedByAll, resetMs }: WindowUse,
  limit: number,
  later: number,
  banMs: number,
): WindowStatus {
  const used = usedByAll - later;
  const remaining = Math.max(0, limit - used);
  if (banMs === 0) return { window, limit, used, remaining, resetMs };
  // A banned subject has nothing left in either window before the ban ends.
  return { window, limit, used, remaining: 0, resetMs: Math.max(banMs, remaining === 0 ? resetMs : 0) };
}
