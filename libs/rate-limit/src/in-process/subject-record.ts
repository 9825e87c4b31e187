import { type BanPolicy, REFUSAL_STEP_MS } from '../policy/ban-policy.js';
import { type RateLimitSubject, SMALL_KEPT_MS, SMALL_SHARE } from '../policy/rate-limit-subject.js';
import type { RedisStanding, Standing } from '../decision/window-snapshot.js';
import type { MemoryAccount } from '../windows/memory-account.js';
import { RedisMirror } from './redis-mirror.js';
import { resetMs, resetMsOfBoth } from '../windows/reset.js';
import { SlidingWindow } from '../windows/sliding-window.js';
import { WindowPair } from '../windows/window-pair.js';

/** What is known of one subject, and the decision. The script of the Redis store follows the same steps. */
export class SubjectRecord {
  /** When the table that holds the record last put it at its end. */
  movedAt = 0;
  /** What was admitted; where there is a Redis: as far as it knows of it. */
  readonly #windows: WindowPair;
  readonly #policy: BanPolicy | undefined;
  readonly #account: MemoryAccount | undefined;
  /** Made at the first word of a Redis. */
  #mirror: RedisMirror | undefined;
  /** Made at the first refusal: most subjects never get one. */
  #refusals: SlidingWindow | undefined;
  /** The latest moment that something is dated with. */
  #newest = 0;
  #banUntil = 0;
  #bans = 0;
  /** A day's count that is forgotten after an hour; less than 0 for none. */
  #small = -1;

  constructor(policy: BanPolicy | undefined, account?: MemoryAccount) {
    this.#policy = policy;
    this.#account = account;
    this.#windows = new WindowPair(account);
  }

  /** What Redis has told of the subject, and what it does not know. */
  get mirror(): RedisMirror {
    return (this.#mirror ??= new RedisMirror(this.#windows, this.#account));
  }

  /**
   * Decides about `count` requests at once; with a count of 0 it only tells how things stand.
   *
   * @param apart whether they are decided here although there is a Redis, which then does not know of them
   */
  charge(now: number, subject: RateLimitSubject, count: number, apart = false): Standing {
    const { limits, bannable } = subject;
    const at = this.#look(now, subject);
    const banned = this.#banUntil > at;
    const room = this.#mirror?.room(limits) ?? this.#windows.room(limits);
    const admitted = banned ? 0 : Math.max(0, Math.min(count, room));
    const refused = count - admitted;
    if (admitted > 0) {
      // A clock may have fractions of a millisecond: rounded up, so that nothing leaves a window early.
      (apart ? this.mirror.decidedHere() : this.#windows).add(Math.ceil(at), admitted);
      this.#newest = at;
    }
    let plainRefusals = banned ? 0 : refused;
    if (plainRefusals > 0 && bannable && this.#policy) {
      plainRefusals = this.#refuse(
        at,
        refused,
        Math.max(this.#policy.refusals, limits.perMinute),
        this.#policy,
      );
    }
    const { minute, day } = this.#windows;
    const { perMinute, perDay } = limits;
    const there = this.#mirror?.apart;
    return {
      now,
      admitted,
      plainRefusals,
      minuteUsed: minute.total + (there?.minute.total ?? 0),
      dayUsed: day.total + (there?.day.total ?? 0),
      minuteResetMs: there
        ? resetMsOfBoth(minute, there.minute, perMinute, now)
        : resetMs(minute, perMinute, now),
      dayResetMs: there ? resetMsOfBoth(day, there.day, perDay, now) : resetMs(day, perDay, now),
      banMs: this.#banUntil > at ? Math.ceil(this.#banUntil - now) : 0,
      bans: this.#bans,
      banStarted: !banned && plainRefusals < refused,
    };
  }

  /** Takes down what Redis decided, and adds what it does not know of. */
  follow(decided: RedisStanding, subject: RateLimitSubject): Standing {
    const { limits, bannable } = subject;
    const { admitted } = decided;
    const at = this.#look(decided.now, subject);
    const { mirror } = this;
    mirror.level(decided.minuteUsed - admitted, decided.dayUsed - admitted, Math.ceil(at), decided.now);
    // One that ends is remembered for the next; one that was lifted has ended, too.
    this.#banUntil = decided.banMs > 0 ? at + decided.banMs : Math.min(this.#banUntil, at);
    this.#bans = decided.bans;
    if (admitted > 0) this.#windows.add(Math.ceil(at), admitted);
    // Refusals that count towards a ban are dated, too.
    const dated =
      admitted > 0 || (bannable && this.#policy && (decided.plainRefusals > 0 || decided.banStarted));
    if (dated) this.#newest = at;
    mirror.mark(decided.life, dated ? decided.now : 0);
    return mirror.complete(decided, limits);
  }

  /** Redis knows less than it once told: what it has lost is remembered here, beside what it knows. */
  recover(told: RedisStanding, subject: RateLimitSubject): void {
    this.#look(told.now, subject);
    this.mirror.recover(told.minuteUsed, told.dayUsed, told.life);
  }

  /** What Redis is about to be told of the subject, as of `now`. */
  toTell(now: number, subject: RateLimitSubject): RedisMirror {
    if (this.#mirror?.apart) this.#look(now, subject);
    return this.mirror;
  }

  /** Whether there was a ban to lift. */
  liftBan(now: number): boolean {
    const banned = this.#banUntil > now;
    this.#banUntil = 0;
    this.#bans = 0;
    this.#refusals?.clear();
    return banned;
  }

  /** Lets go of what no longer matters, and of its memory; whether anything matters still. */
  tidy(now: number): boolean {
    const at = this.#expire(now);
    this.#refusals?.expire(at);
    const repeats = this.#bans > 0 && at <= this.#banUntil + (this.#policy?.repeatMs ?? 0);
    return (
      repeats ||
      !this.#windows.isEmpty ||
      this.#mirror?.apart !== undefined ||
      (this.#refusals?.total ?? 0) > 0
    );
  }

  /** Makes do with little memory: units may come back later than they would, never earlier. */
  coarsen(): void {
    this.#windows.coarsen();
    this.#mirror?.apart?.coarsen();
  }

  /** The table that held the record answers for its memory no more. */
  leaveAccount(): void {
    this.#windows.leaveAccount();
    this.#refusals?.leaveAccount();
    this.#mirror?.apart?.leaveAccount();
  }

  /** Lets go of what has left the windows; the moment to decide at. */
  #look(now: number, { numerous, limits }: RateLimitSubject): number {
    if (numerous) this.#small = limits.perDay * SMALL_SHARE;
    return this.#expire(now);
  }

  #expire(now: number): number {
    // Time never goes back: when the clock does, it stands still until the clock has caught up.
    const at = Math.max(now, this.#newest);
    this.#windows.expire(at);
    if (this.#small >= 0) this.#windows.forgetSmall(at, this.#small, SMALL_KEPT_MS);
    this.#mirror?.expire(at, this.#small);
    return at;
  }

  /** Counts refusals, and bans at the one that makes them `enough`; how many came before that. */
  #refuse(at: number, count: number, enough: number, policy: BanPolicy): number {
    this.#newest = at;
    const refusals = (this.#refusals ??= new SlidingWindow(policy.withinMs, REFUSAL_STEP_MS, this.#account));
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
