import type { WindowSnapshot } from '../limiter/rate-limit-result.js';
import {
  type BanPolicy,
  DAY,
  MINUTE,
  type PlanLimits,
  type RateLimitSubject,
  REFUSAL_STEPS,
  WINDOW_STEPS,
} from '../policy.js';
import { SlidingWindow } from './sliding-window.js';

/**
 * The counters of one subject, and the decision whether a request is admitted, refused or banned:
 * {@link SubjectCounters.charge} refuses the 61st request of a minute on the plan `free`. `lua/charge.lua` takes the same
 * steps in Redis. Moments are Unix time in whole microseconds.
 */
export class SubjectCounters {
  readonly minute = new SlidingWindow(MINUTE.lengthMs * 1000, WINDOW_STEPS);
  readonly day = new SlidingWindow(DAY.lengthMs * 1000, WINDOW_STEPS);
  /** Created at the first refusal that counts towards a ban: most subjects have none. */
  private refusals: SlidingWindow | undefined;
  /** How far the time of these counters is ahead of the clock, and what it was at their last change. */
  private shift = 0;
  private latest = 0;
  private banUntil = 0;
  /** Bans in a row. */
  private bans = 0;

  /** @param policy `undefined` for no bans */
  constructor(private readonly policy: BanPolicy | undefined) {}

  /** Whether there were bans, which make the next one longer. */
  get hasBans(): boolean {
    return this.bans > 0;
  }

  /** Numbers that are kept for batches. */
  get size(): number {
    return this.minute.size + this.day.size + (this.refusals?.size ?? 0);
  }

  /**
   * Admits or refuses `wanted` requests at once; with 0 it only looks.
   *
   * @param allowed how many at most are admitted, whatever room there is
   */
  charge(
    now: number,
    { limits, bannable }: Pick<RateLimitSubject, 'limits' | 'bannable'>,
    wanted: number,
    allowed = wanted,
  ): WindowSnapshot {
    const at = this.expire(now);
    const banned = this.banUntil > at;
    const room = Math.min(limits.perMinute - this.minute.sum, limits.perDay - this.day.sum);
    const admitted = banned ? 0 : Math.max(0, Math.min(wanted, allowed, room));
    if (admitted > 0) this.add(at, admitted);
    const refused = wanted - admitted;
    const counts = refused > 0 && !banned && bannable;
    const plainRefusals = counts ? this.refuse(at, refused, limits.perMinute) : banned ? 0 : refused;
    const banMs = this.banMs(at);
    return {
      now: now / 1000,
      admitted,
      plainRefusals,
      ...this.use(now, limits),
      banMs,
      bans: banMs > 0 ? this.bans : 0,
      banStarted: counts && plainRefusals < refused,
    };
  }

  /** How full both windows are. */
  use(now: number, limits: PlanLimits): Pick<WindowSnapshot, 'minute' | 'day'> {
    const at = this.expire(now);
    return {
      minute: { used: this.minute.sum, resetMs: this.minute.resetMs(limits.perMinute, at) },
      day: { used: this.day.sum, resetMs: this.day.resetMs(limits.perDay, at) },
    };
  }

  /** How many requests there is room for. */
  room(now: number, { perMinute, perDay }: PlanLimits): number {
    this.expire(now);
    return Math.min(perMinute - this.minute.sum, perDay - this.day.sum);
  }

  /** Counts requests that were admitted elsewhere, at a moment that may be a little before the latest one here. */
  admit(moment: number, units: number): void {
    this.add(Math.max(moment + this.shift, this.latest), units);
  }

  /** Takes over the ban in force of another count. */
  setBan(now: number, banMs: number, bans: number): void {
    const at = now + this.shift;
    if (banMs > 0) {
      this.banUntil = at + banMs * 1000;
      this.bans = bans;
    } else if (this.banUntil > at) this.banUntil = at;
  }

  /** Ends the ban, and forgets what led to it. Returns whether there was one. */
  liftBan(now: number): boolean {
    if (this.latest === 0) return false;
    this.latest = this.expire(now);
    const banned = this.banUntil > this.latest;
    this.banUntil = 0;
    this.bans = 0;
    this.refusals?.clear();
    return banned;
  }

  /** Removes what has left the windows. Returns what time it is for these counters. */
  expire(now: number): number {
    // It never goes back: when the clock does, it goes on from where it was.
    let at = now + this.shift;
    const isBack = at < this.latest;
    if (isBack) {
      at = this.latest;
      this.shift = at - now;
    }
    const minuteChanged = this.minute.expire(at);
    if (this.day.expire(at) || minuteChanged || isBack) this.latest = at;
    return at;
  }

  private add(at: number, units: number): void {
    this.minute.add(at, units);
    this.day.add(at, units);
    this.latest = at;
  }

  private banMs(at: number): number {
    return this.banUntil > at ? Math.ceil((this.banUntil - at) / 1000) : 0;
  }

  /**
   * Counts refusals towards a ban, and begins one with the refusal that makes them enough.
   *
   * @returns how many came before that: all without one
   */
  private refuse(at: number, refused: number, perMinute: number): number {
    const { policy } = this;
    if (policy === undefined) return refused;
    const refusals = (this.refusals ??= new SlidingWindow(policy.withinMs * 1000, REFUSAL_STEPS));
    refusals.expire(at);
    this.latest = at;
    const enough = Math.max(policy.refusals, perMinute);
    const before = refusals.sum;
    if (before + refused < enough) {
      refusals.add(at, refused);
      return refused;
    }
    refusals.clear();
    const isRepeat = this.bans > 0 && at <= this.banUntil + policy.repeatMs * 1000;
    this.bans = isRepeat ? this.bans + 1 : 1;
    const banMs = Math.min(policy.firstMs * policy.factor ** (this.bans - 1), policy.longestMs);
    this.banUntil = at + banMs * 1000;
    return Math.max(0, enough - 1 - before);
  }
}
