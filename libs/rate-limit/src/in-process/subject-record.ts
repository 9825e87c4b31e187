import { type BanPolicy, REFUSAL_STEP_MS } from '../ban-policy.js';
import type { PlanLimits } from '../plan.js';
import { DAY, MINUTE } from '../rate-limit-window.js';
import type { Standing } from '../standing.js';
import { SlidingWindow } from './sliding-window.js';

/** What is known of one subject, and the decision. The script of the Redis store follows the same steps. */
export class SubjectRecord {
  readonly #minute = new SlidingWindow(MINUTE.lengthMs, MINUTE.stepMs);
  readonly #day = new SlidingWindow(DAY.lengthMs, DAY.stepMs);
  readonly #policy: BanPolicy | undefined;
  readonly #refusals: SlidingWindow | undefined;
  /** The latest moment that anything is dated with. */
  #newest = 0;
  /** How far the clock has fallen behind {@link SubjectRecord.#newest}. */
  #lag = 0;
  #banUntil = 0;
  #bans = 0;

  constructor(policy: BanPolicy | undefined) {
    this.#policy = policy;
    this.#refusals = policy && new SlidingWindow(policy.withinMs, REFUSAL_STEP_MS);
  }

  /** Until when the record matters, as a moment of the clock. */
  get neededUntil(): number {
    const repeat = this.#bans > 0 ? this.#banUntil + (this.#policy?.repeatMs ?? 0) : 0;
    return Math.max(this.#newest + DAY.lengthMs, repeat) - this.#lag;
  }

  /** Decides about `count` requests at once; with a count of 0 it only tells how things stand. */
  charge(now: number, limits: PlanLimits, bannable: boolean, count: number): Standing {
    const at = this.#momentAt(now);
    this.#minute.expire(at);
    this.#day.expire(at);
    const banned = this.#banUntil > at;
    const room = Math.min(limits.perMinute - this.#minute.total, limits.perDay - this.#day.total);
    const admitted = banned ? 0 : Math.max(0, Math.min(count, room));
    if (admitted > 0) this.#admit(Math.ceil(at), admitted);
    const refused = count - admitted;
    let plainRefusals = banned ? 0 : refused;
    let banStarted = false;
    if (refused > 0 && !banned && bannable && this.#policy && this.#refusals) {
      const allowed = Math.max(this.#policy.refusals, limits.perMinute);
      this.#refusals.expire(at);
      banStarted = this.#refusals.total + refused >= allowed;
      if (banStarted) {
        plainRefusals = Math.max(0, allowed - 1 - this.#refusals.total);
        this.#ban(at, this.#policy);
      } else {
        this.#refusals.add(Math.ceil(at), refused);
      }
      this.#newest = Math.ceil(at);
    }
    return {
      now,
      admitted,
      plainRefusals,
      minuteUsed: this.#minute.total,
      dayUsed: this.#day.total,
      minuteResetMs: resetMs(this.#minute, limits.perMinute, at),
      dayResetMs: resetMs(this.#day, limits.perDay, at),
      banMs: Math.max(0, Math.ceil(this.#banUntil - at)),
      bans: this.#bans,
      banStarted,
    };
  }

  /** Whether there was a ban to lift. */
  liftBan(now: number): boolean {
    const banned = this.#banUntil > this.#momentAt(now);
    this.#banUntil = 0;
    this.#bans = 0;
    this.#refusals?.clear();
    return banned;
  }

  /**
   * The moment to decide at. It never goes back: when the clock does, time goes on from where it was, at
   * the clock's pace, until the clock has caught up. So a clock that jumps back lets nobody in early, and
   * keeps nobody out for the length of the jump.
   */
  #momentAt(now: number): number {
    if (now >= this.#newest) {
      this.#lag = 0;
      return now;
    }
    this.#lag = Math.max(this.#lag, this.#newest - now);
    return now + this.#lag;
  }

  #admit(at: number, count: number): void {
    this.#minute.add(at, count);
    this.#day.add(at, count);
    this.#newest = at;
  }

  #ban(at: number, { firstMs, factor, repeatMs, longestMs }: BanPolicy): void {
    this.#bans = this.#bans > 0 && at <= this.#banUntil + repeatMs ? this.#bans + 1 : 1;
    this.#banUntil = Math.ceil(at) + Math.min(firstMs * factor ** (this.#bans - 1), longestMs);
    this.#refusals?.clear();
  }
}

/** Milliseconds until the window has room for one more; when it holds more than the limit, for a first one. */
function resetMs(window: SlidingWindow, limit: number, at: number): number {
  if (window.total === 0) return 0;
  return Math.ceil(window.freeAt(Math.max(1, window.total - limit + 1)) - at);
}
