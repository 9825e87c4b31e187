import type { PlanLimits } from '../policy/plan.js';
import { SMALL_KEPT_MS } from '../policy/rate-limit-subject.js';
import type { WindowSnapshot } from '../decision/window-snapshot.js';
import type { MemoryAccount } from '../windows/memory-account.js';
import { resetMs, resetMsOfBoth } from '../windows/reset.js';
import type { SlidingWindow } from '../windows/sliding-window.js';
import { WindowPair } from '../windows/window-pair.js';

/** Redis gets a moment as milliseconds modulo this, which is 11 days. */
export const MARK_MODULUS = 1_000_000_000;
const MOST_DIGITS = 999_999_999;
/** What is sent to Redis about a subject that nothing is known of; see {@link RedisMirror.marks}. */
export const NO_MARKS = '\0'.repeat(8);

/**
 * What one process knows of a subject whose counters are in Redis.
 *
 * `shared` holds what Redis holds, as it reported last: what was admitted here with its own date, and what others used
 * with the date at which that was seen, which is late, and never early. `unshared` is what Redis does not know: what was
 * admitted here while it was unavailable, and what it has lost. The two together are what the subject has used.
 */
export class RedisMirror {
  /** `undefined` while Redis knows everything. */
  unshared: WindowPair | undefined;
  /** Which value of Redis was seen last, and the latest moment that it was dated with; 0 for unknown. */
  private generation = 0;
  private newest = 0;
  /** When Redis reported last, by its clock, and whether that has gone back since. */
  private lastRedisTime = 0;
  private isVague = false;
  /** Requests that were sent and decided here when no response came: Redis may have admitted them, too. */
  private uncertain = 0;

  constructor(
    private readonly shared: WindowPair,
    private readonly account: MemoryAccount | undefined,
  ) {}

  room(limits: PlanLimits): number {
    const { shared, unshared } = this;
    if (unshared === undefined) return shared.room(limits);
    const { perMinute, perDay } = limits;
    return Math.min(
      perMinute - shared.minute.total - unshared.minute.total,
      perDay - shared.day.total - unshared.day.total,
    );
  }

  expire(at: number, small: number): void {
    const { unshared } = this;
    if (unshared === undefined) return;
    unshared.expire(at);
    if (small >= 0) unshared.forgetSmall(at, small, SMALL_KEPT_MS);
    if (unshared.isEmpty) this.unshared = undefined;
  }

  /** Where something that is decided without Redis is kept. */
  unsharedWindows(): WindowPair {
    return (this.unshared ??= new WindowPair(this.account));
  }

  /** So many requests went to Redis, and it is unknown whether they arrived. */
  markUncertain(count: number): void {
    this.uncertain += count;
  }

  /** Brings `shared` to what Redis holds, as it reported at `now`; `dated` is the moment for what is new here. */
  syncTo(minuteUsed: number, dayUsed: number, dated: number, now: number): void {
    const { minute, day } = this.shared;
    // What has left already comes back with the time, and is then dated anew here: later than what is younger.
    this.isVague = now < this.lastRedisTime || (this.isVague && !this.shared.isEmpty);
    this.lastRedisTime = now;
    if (minute.total !== minuteUsed) this.syncWindow('minute', minuteUsed, dated);
    if (day.total !== dayUsed) this.syncWindow('day', dayUsed, dated);
    this.uncertain = 0;
  }

  private syncWindow(name: 'minute' | 'day', used: number, dated: number): void {
    const { [name]: window } = this.shared;
    const more = used - window.total;
    if (more > 0) {
      // Others', or what was given up for lost and then decided here.
      this.unshared?.[name].dropOldest(Math.min(more, this.uncertain));
      window.add(dated, more);
    } else if (this.isVague || -more <= window.oldestUnits) {
      // What others used is dated late here: it may have left already.
      window.dropOldest(-more);
    } else {
      // More than that can leave only if it was lost.
      this.unsharedWindows()[name].merge(window.takeNewest(-more));
    }
  }

  /** What Redis holds now: which value, and the moment that it was dated with, or 0 where it was not. */
  mark(generation: number, newest: number): void {
    if (generation === this.generation && newest <= this.newest) return;
    const known = generation === this.generation ? this.newest : 0;
    this.generation = generation;
    this.newest = Math.max(known, Math.floor(newest));
  }

  /** Redis holds only so much, in the value `generation`: the rest is kept unshared from now on. */
  markRedisStale(minuteUsed: number, dayUsed: number, generation: number): void {
    const { minute, day } = this.shared;
    const unshared = this.unsharedWindows();
    // An older state of the same value holds what is oldest. A new value holds none of what was here.
    const same = generation !== 0 && generation === this.generation;
    unshared.minute.merge(minute.takeNewest(same ? minute.total - minuteUsed : minute.total));
    unshared.day.merge(day.takeNewest(same ? day.total - dayUsed : day.total));
    if (unshared.isEmpty) this.unshared = undefined;
    this.generation = 0;
    this.newest = 0;
  }

  /**
   * What is sent to Redis to find out whether it has lost something: which value was seen last, its newest moment, and
   * whether there is anything that Redis does not know of. In characters of 6 bits, which are a byte each.
   */
  get marks(): string {
    const generation = this.generation;
    const newest = this.newest % MARK_MODULUS;
    return String.fromCharCode(
      generation >> 6,
      generation & 63,
      newest >> 24,
      (newest >> 18) & 63,
      (newest >> 12) & 63,
      (newest >> 6) & 63,
      newest & 63,
      this.unshared === undefined ? 0 : 1,
    );
  }

  /** Used in the minute and in the day beside what Redis knows, in 9 digits each; nothing where there is none. */
  get unsharedMarks(): string {
    const { unshared } = this;
    return unshared === undefined ? '' : digits(unshared.minute) + digits(unshared.day);
  }

  /** What Redis decided, and what it does not know of, in one. */
  complete(decided: WindowSnapshot, { perMinute, perDay }: PlanLimits): WindowSnapshot {
    const { shared, unshared } = this;
    if (unshared === undefined) return decided;
    const { now, minuteUsed, dayUsed, minuteResetMs, dayResetMs } = decided;
    return {
      ...decided,
      minuteUsed: minuteUsed + unshared.minute.total,
      minuteResetMs: completeReset(shared.minute, unshared.minute, perMinute, now, minuteResetMs),
      dayUsed: dayUsed + unshared.day.total,
      dayResetMs: completeReset(shared.day, unshared.day, perDay, now, dayResetMs),
    };
  }
}

/** Redis reports exactly when the first of what it knows leaves; where more has to leave, the mirror does. */
function completeReset(
  shared: SlidingWindow,
  unshared: SlidingWindow,
  limit: number,
  now: number,
  sharedMs: number,
): number {
  if (unshared.total === 0) return sharedMs;
  if (shared.total + unshared.total > limit) return resetMsOfBoth(shared, unshared, limit, now);
  const unsharedMs = resetMs(unshared, limit, now);
  return shared.total === 0 ? unsharedMs : Math.min(sharedMs, unsharedMs);
}

function digits(window: SlidingWindow): string {
  return String(Math.min(window.total, MOST_DIGITS)).padStart(9, '0');
}
