import { type BanPolicy, REFUSAL_STEP_MS } from '../ban-policy.js';
import type { PlanLimits } from '../plan.js';
import { DAY, MINUTE } from '../rate-limit-window.js';
import type { Standing } from '../standing.js';
import { SlidingWindow } from './sliding-window.js';

/** What is known of one subject, and the decision. The script of the Redis store follows the same steps. */
export class SubjectRecord {
  /** When the table that holds the record last put it at its end. */
  movedAt = 0;
  readonly #minute = new SlidingWindow(MINUTE.lengthMs, MINUTE.stepMs);
  readonly #day = new SlidingWindow(DAY.lengthMs, DAY.stepMs);
  readonly #policy: BanPolicy | undefined;
  /** Made at the first refusal: most subjects never get one. */
  #refusals: SlidingWindow | undefined;
  /** The latest moment that something is dated with. */
  #newest = 0;
  #banUntil = 0;
  #bans = 0;

  constructor(policy: BanPolicy | undefined) {
    this.#policy = policy;
  }

  /** Until when the record matters, as a moment of the clock. */
  get neededUntil(): number {
    const repeat = this.#bans > 0 ? this.#banUntil + (this.#policy?.repeatMs ?? 0) : 0;
    return Math.max(this.#newest + DAY.lengthMs, repeat);
  }

  /** Decides about `count` requests at once; with a count of 0 it only tells how things stand. */
  charge(now: number, limits: PlanLimits, bannable: boolean, count: number): Standing {
    const at = this.#look(now);
    const banned = this.#banUntil > at;
    const admitted = banned ? 0 : Math.max(0, Math.min(count, this.#room(limits)));
    const refused = count - admitted;
    if (admitted > 0) this.#admit(at, admitted);
    let plainRefusals = banned ? 0 : refused;
    if (plainRefusals > 0 && bannable && this.#policy) {
      plainRefusals = this.#refuse(
        at,
        refused,
        Math.max(this.#policy.refusals, limits.perMinute),
        this.#policy,
      );
    }
    return {
      now,
      admitted,
      plainRefusals,
      minuteUsed: this.#minute.total,
      dayUsed: this.#day.total,
      minuteResetMs: resetMs(this.#minute, limits.perMinute, now),
      dayResetMs: resetMs(this.#day, limits.perDay, now),
      banMs: this.#banUntil > at ? Math.ceil(this.#banUntil - now) : 0,
      bans: this.#bans,
      banStarted: !banned && plainRefusals < refused,
    };
  }

  /** How many more requests there is room for. */
  roomAt(now: number, limits: PlanLimits): number {
    this.#look(now);
    return Math.max(0, this.#room(limits));
  }

  /**
   * Takes down what another store decided. It knows of the other instances, but may have forgotten, or never
   * heard of, what was admitted here: then the standing is corrected to what holds in both.
   */
  follow(decided: Standing, limits: PlanLimits, bannable: boolean): Standing {
    const at = this.#look(decided.now);
    // One that ends is remembered for the next; one that was lifted has ended, too.
    this.#banUntil = decided.banMs > 0 ? at + decided.banMs : Math.min(this.#banUntil, at);
    this.#bans = decided.bans;
    if (decided.admitted > 0) this.#admit(at, decided.admitted);
    // Refusals that count towards a ban are dated, too.
    if (bannable && this.#policy && (decided.plainRefusals > 0 || decided.banStarted)) this.#newest = at;
    if (this.#minute.total <= decided.minuteUsed && this.#day.total <= decided.dayUsed) return decided;
    const { now, minuteUsed, dayUsed, minuteResetMs, dayResetMs } = decided;
    const { perMinute, perDay } = limits;
    return {
      ...decided,
      minuteUsed: Math.max(minuteUsed, this.#minute.total),
      minuteResetMs: resetOfBoth(minuteUsed, minuteResetMs, this.#minute, perMinute, now),
      dayUsed: Math.max(dayUsed, this.#day.total),
      dayResetMs: resetOfBoth(dayUsed, dayResetMs, this.#day, perDay, now),
    };
  }

  /** Whether there was a ban to lift. */
  liftBan(now: number): boolean {
    const banned = this.#banUntil > now;
    this.#banUntil = 0;
    this.#bans = 0;
    this.#refusals?.clear();
    return banned;
  }

  /** Lets go of what has left the windows; the moment to decide at. */
  #look(now: number): number {
    // Time never goes back: when the clock does, it stands still until the clock has caught up.
    const at = Math.max(now, this.#newest);
    this.#minute.expire(at);
    this.#day.expire(at);
    return at;
  }

  #room({ perMinute, perDay }: PlanLimits): number {
    return Math.min(perMinute - this.#minute.total, perDay - this.#day.total);
  }

  #admit(at: number, count: number): void {
    // A clock may have fractions of a millisecond: rounded up, so that nothing leaves a window early.
    const dated = Math.ceil(at);
    this.#minute.add(dated, count);
    this.#day.add(dated, count);
    this.#newest = at;
  }

  /** Counts refusals, and bans at the one that makes them `enough`; how many came before that. */
  #refuse(at: number, count: number, enough: number, policy: BanPolicy): number {
    this.#newest = at;
    const refusals = (this.#refusals ??= new SlidingWindow(policy.withinMs, REFUSAL_STEP_MS));
    refusals.expire(at);
    const before = refusals.total;
    if (before + count < enough) {
      refusals.add(Math.ceil(at), count);
      return count;
    }
    const repeated = this.#bans > 0 && at <= this.#banUntil + policy.repeatMs;
    this.#bans = repeated ? this.#bans + 1 : 1;
    this.#banUntil =
      Math.ceil(at) + Math.min(policy.firstMs * policy.factor ** (this.#bans - 1), policy.longestMs);
    refusals.clear();
    return Math.max(0, enough - 1 - before);
  }
}

/** Milliseconds until the window has room for one more; when it holds more than the limit, for a first one. */
function resetMs(window: SlidingWindow, limit: number, now: number): number {
  if (window.total === 0) return 0;
  return Math.ceil(window.freeAt(Math.max(1, window.total - limit + 1)) - now);
}

/** As {@link resetMs}, for a window that is kept here and elsewhere: it has room when both have. */
function resetOfBoth(
  usedThere: number,
  resetMsThere: number,
  here: SlidingWindow,
  limit: number,
  now: number,
): number {
  const resetMsHere = resetMs(here, limit, now);
  const level = usedThere === here.total || (usedThere >= limit && here.total >= limit);
  if (level) return Math.max(resetMsThere, resetMsHere);
  return usedThere > here.total ? resetMsThere : resetMsHere;
}
