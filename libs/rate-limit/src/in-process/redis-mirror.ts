import type { PlanLimits } from '../policy/plan.js';
import { SMALL_KEPT_MS } from '../policy/rate-limit-subject.js';
import type { Standing } from '../decision/window-snapshot.js';
import type { MemoryAccount } from '../windows/memory-account.js';
import { resetMs, resetMsOfBoth } from '../windows/reset.js';
import type { SlidingWindow } from '../windows/sliding-window.js';
import { WindowPair } from '../windows/window-pair.js';

/** Redis is told a moment as milliseconds modulo this, which is 11 days. */
export const MARK_MODULUS = 1_000_000_000;
const MOST_DIGITS = 999_999_999;
/** What Redis is told of a subject that nothing is known of; see {@link RedisMirror.marks}. */
export const NO_MARKS = '\0'.repeat(8);

/**
 * What one process knows of a subject whose counters are in Redis.
 *
 * `there` holds what Redis holds, as it told last: what was admitted here with its own date, and what others used
 * with the date at which that was seen, which is late, and never early. `apart` is what Redis does not know: what was
 * admitted here while it was away, and what it has lost. The two together are what the subject has used.
 */
export class RedisMirror {
  /** `undefined` while Redis knows everything. */
  apart: WindowPair | undefined;
  /** Which value of Redis was seen last, and the latest moment that it was dated with; 0 for unknown. */
  #life = 0;
  #newest = 0;
  /** When Redis told something last, by its clock, and whether that has gone back since. */
  #toldAt = 0;
  #isVague = false;
  /** Requests that were sent and decided here when no answer came: Redis may have admitted them, too. */
  #unsure = 0;

  constructor(
    private readonly there: WindowPair,
    private readonly account: MemoryAccount | undefined,
  ) {}

  room(limits: PlanLimits): number {
    const { there, apart } = this;
    if (apart === undefined) return there.room(limits);
    const { perMinute, perDay } = limits;
    return Math.min(
      perMinute - there.minute.total - apart.minute.total,
      perDay - there.day.total - apart.day.total,
    );
  }

  expire(at: number, small: number): void {
    const { apart } = this;
    if (apart === undefined) return;
    apart.expire(at);
    if (small >= 0) apart.forgetSmall(at, small, SMALL_KEPT_MS);
    if (apart.isEmpty) this.apart = undefined;
  }

  /** Where something that is decided without Redis is kept. */
  decidedHere(): WindowPair {
    return (this.apart ??= new WindowPair(this.account));
  }

  /** So many requests went to Redis, and nobody knows whether they arrived. */
  lostSight(count: number): void {
    this.#unsure += count;
  }

  /** Brings `there` to what Redis holds, as it told at `now`; `dated` is the moment for what is new here. */
  level(minuteUsed: number, dayUsed: number, dated: number, now: number): void {
    const { minute, day } = this.there;
    // What has left already comes back with the time, and is then dated anew here: later than what is younger.
    this.#isVague = now < this.#toldAt || (this.#isVague && !this.there.isEmpty);
    this.#toldAt = now;
    if (minute.total !== minuteUsed) this.#level('minute', minuteUsed, dated);
    if (day.total !== dayUsed) this.#level('day', dayUsed, dated);
    this.#unsure = 0;
  }

  #level(name: 'minute' | 'day', used: number, dated: number): void {
    const { [name]: window } = this.there;
    const more = used - window.total;
    if (more > 0) {
      // Others', or what was given up for lost and then decided here.
      this.apart?.[name].dropOldest(Math.min(more, this.#unsure));
      window.add(dated, more);
    } else if (this.#isVague || -more <= window.oldestUnits) {
      // What others used is dated late here: it may have left already.
      window.dropOldest(-more);
    } else {
      // More than that can leave only if it was lost.
      this.decidedHere()[name].merge(window.takeNewest(-more));
    }
  }

  /** What Redis holds now: which value, and the moment that it was dated with, or 0 where it was not. */
  mark(life: number, newest: number): void {
    if (life === this.#life && newest <= this.#newest) return;
    const known = life === this.#life ? this.#newest : 0;
    this.#life = life;
    this.#newest = Math.max(known, Math.floor(newest));
  }

  /** Redis holds only so much, in the value `life`: the rest is kept apart from now on. */
  recover(minuteUsed: number, dayUsed: number, life: number): void {
    const { minute, day } = this.there;
    const apart = this.decidedHere();
    // An older state of the same value holds what is oldest. A new value holds none of what was here.
    const same = life !== 0 && life === this.#life;
    apart.minute.merge(minute.takeNewest(same ? minute.total - minuteUsed : minute.total));
    apart.day.merge(day.takeNewest(same ? day.total - dayUsed : day.total));
    if (apart.isEmpty) this.apart = undefined;
    this.#life = 0;
    this.#newest = 0;
  }

  /**
   * What Redis is told, to find out whether it has lost something: which value was seen last, its newest moment, and
   * whether there is anything that Redis does not know of. In characters of 6 bits, which are a byte each.
   */
  get marks(): string {
    const life = this.#life;
    const newest = this.#newest % MARK_MODULUS;
    return String.fromCharCode(
      life >> 6,
      life & 63,
      newest >> 24,
      (newest >> 18) & 63,
      (newest >> 12) & 63,
      (newest >> 6) & 63,
      newest & 63,
      this.apart === undefined ? 0 : 1,
    );
  }

  /** Used in the minute and in the day beside what Redis knows, in 9 digits each; nothing where there is none. */
  get apartMarks(): string {
    const { apart } = this;
    return apart === undefined ? '' : digits(apart.minute) + digits(apart.day);
  }

  /** What Redis decided, and what it does not know of, in one. */
  complete(decided: Standing, { perMinute, perDay }: PlanLimits): Standing {
    const { there, apart } = this;
    if (apart === undefined) return decided;
    const { now, minuteUsed, dayUsed, minuteResetMs, dayResetMs } = decided;
    return {
      ...decided,
      minuteUsed: minuteUsed + apart.minute.total,
      minuteResetMs: completeReset(there.minute, apart.minute, perMinute, now, minuteResetMs),
      dayUsed: dayUsed + apart.day.total,
      dayResetMs: completeReset(there.day, apart.day, perDay, now, dayResetMs),
    };
  }
}

/** Redis tells exactly when the first of what it knows leaves; where more has to leave, the mirror does. */
function completeReset(
  there: SlidingWindow,
  apart: SlidingWindow,
  limit: number,
  now: number,
  thereMs: number,
): number {
  if (apart.total === 0) return thereMs;
  if (there.total + apart.total > limit) return resetMsOfBoth(there, apart, limit, now);
  const apartMs = resetMs(apart, limit, now);
  return there.total === 0 ? apartMs : Math.min(thereMs, apartMs);
}

function digits(window: SlidingWindow): string {
  return String(Math.min(window.total, MOST_DIGITS)).padStart(9, '0');
}
