import type { RedisSnapshot, WindowSnapshot } from '../decision/window-snapshot.js';
import type { BanPolicy } from '../policy/ban-policy.js';
import { type RateLimitSubject, SMALL_KEPT_MS, SMALL_SHARE } from '../policy/rate-limit-subject.js';
import type { MemoryAccount } from '../windows/memory-account.js';
import { resetMs, resetMsOfBoth } from '../windows/reset.js';
import { WindowPair } from '../windows/window-pair.js';
import { BanRecord } from './ban-record.js';
import { RedisMirror } from './redis-mirror.js';

/**
 * The counters of one subject (a key or an address), and the decision whether a request is admitted, refused or banned:
 * {@link SubjectRecord.charge} refuses the 61st request of a minute on the plan `free`. `charge.lua.ts` takes the same
 * steps in Redis.
 */
export class SubjectRecord {
  /** When the table that holds the record last put it at its end. */
  movedAt = 0;
  /** What was admitted; where there is a Redis: as far as it knows of it. */
  private readonly windows: WindowPair;
  /** Made with the first response of a Redis. */
  private mirrorOfRedis: RedisMirror | undefined;
  /** Made at the first refusal or ban: most subjects never get one. */
  private bans: BanRecord | undefined;
  /** The latest moment that something is dated with. */
  private newest = 0;
  /** A day's count that is forgotten after an hour; less than 0 for none. */
  private small = -1;

  /** @param policy `undefined` for no bans */
  constructor(
    private readonly policy: BanPolicy | undefined,
    private readonly account?: MemoryAccount,
  ) {
    this.windows = new WindowPair(account);
  }

  /** What Redis has reported of the subject, and what it does not know. */
  get redisMirror(): RedisMirror {
    return (this.mirrorOfRedis ??= new RedisMirror(this.windows, this.account));
  }

  /**
   * Admits or refuses `count` requests at once; with a count of 0 it only reports the state.
   *
   * @param unshared whether they are decided here although there is a Redis, which then does not know of them
   */
  charge(now: number, subject: RateLimitSubject, count: number, unshared = false): WindowSnapshot {
    const { limits } = subject;
    const at = this.expireWindows(now, subject);
    const banned = this.isBanned(at);
    const room = this.mirrorOfRedis?.room(limits) ?? this.windows.room(limits);
    const admitted = banned ? 0 : Math.max(0, Math.min(count, room));
    if (admitted > 0) this.admit(at, admitted, unshared);
    const refused = count - admitted;
    const plainRefusals = banned ? 0 : this.countRefusals(at, refused, subject);
    return this.snapshot(now, at, subject, admitted, plainRefusals, !banned && plainRefusals < refused);
  }

  /** Mirrors what Redis decided, and adds what it does not know of. */
  mirror(decided: RedisSnapshot, subject: RateLimitSubject): WindowSnapshot {
    const { limits, bannable } = subject;
    const { admitted, banMs, bans } = decided;
    const at = this.expireWindows(decided.now, subject);
    const { redisMirror } = this;
    redisMirror.syncTo(decided.minuteUsed - admitted, decided.dayUsed - admitted, Math.ceil(at), decided.now);
    if (this.bans !== undefined || banMs > 0 || bans > 0) this.banRecord().mirror(at, banMs, bans);
    if (admitted > 0) this.windows.add(Math.ceil(at), admitted);
    // Refusals that count towards a ban are dated, too.
    const dated =
      admitted > 0 || (bannable && this.policy && (decided.plainRefusals > 0 || decided.banStarted));
    if (dated) this.newest = at;
    redisMirror.mark(decided.generation, dated ? decided.now : 0);
    return redisMirror.complete(decided, limits);
  }

  /** Redis knows less than it once reported: what it has lost is remembered here, beside what it knows. */
  markRedisStale(told: RedisSnapshot, subject: RateLimitSubject): void {
    this.expireWindows(told.now, subject);
    this.redisMirror.markRedisStale(told.minuteUsed, told.dayUsed, told.generation);
  }

  /** What is about to be sent to Redis about the subject, as of `now`. */
  prepareMirror(now: number, subject: RateLimitSubject): RedisMirror {
    if (this.mirrorOfRedis?.unshared) this.expireWindows(now, subject);
    return this.redisMirror;
  }

  /** Whether there was a ban to lift. */
  liftBan(now: number): boolean {
    const banned = this.isBanned(now);
    this.bans?.lift();
    return banned;
  }

  /** Forgets what no longer matters, and frees its memory; whether anything matters still. */
  tidy(now: number): boolean {
    const at = this.expire(now);
    const bansMatter = this.bans?.tidy(at) ?? false;
    return bansMatter || !this.windows.isEmpty || this.mirrorOfRedis?.unshared !== undefined;
  }

  /** Makes do with little memory: units may come back later than they would, never earlier. */
  coarsen(): void {
    this.windows.coarsen();
    this.mirrorOfRedis?.unshared?.coarsen();
  }

  /** The table that held the record no longer counts its memory. */
  leaveAccount(): void {
    this.windows.leaveAccount();
    this.bans?.leaveAccount();
    this.mirrorOfRedis?.unshared?.leaveAccount();
  }

  /** Removes what has left the windows; gives the moment to decide at. */
  private expireWindows(now: number, { numerous, limits }: RateLimitSubject): number {
    if (numerous) this.small = limits.perDay * SMALL_SHARE;
    return this.expire(now);
  }

  private expire(now: number): number {
    // Time never goes back: when the clock does, it stands still until the clock has caught up.
    const at = Math.max(now, this.newest);
    this.windows.expire(at);
    if (this.small >= 0) this.windows.forgetSmall(at, this.small, SMALL_KEPT_MS);
    this.mirrorOfRedis?.expire(at, this.small);
    return at;
  }

  private isBanned(at: number): boolean {
    return this.bans !== undefined && this.bans.until > at;
  }

  private admit(at: number, count: number, unshared: boolean): void {
    // A clock may have fractions of a millisecond: rounded up, so that nothing leaves a window early.
    (unshared ? this.redisMirror.unsharedWindows() : this.windows).add(Math.ceil(at), count);
    this.newest = at;
  }

  /** How many of the refused requests were refused before a ban was in force. */
  private countRefusals(at: number, refused: number, { limits, bannable }: RateLimitSubject): number {
    if (refused === 0 || !bannable || this.policy === undefined) return refused;
    this.newest = at;
    return this.banRecord().countRefusals(at, refused, limits.perMinute, this.policy);
  }

  private banRecord(): BanRecord {
    return (this.bans ??= new BanRecord(this.policy?.repeatMs ?? 0, this.account));
  }

  private snapshot(
    now: number,
    at: number,
    { limits }: RateLimitSubject,
    admitted: number,
    plainRefusals: number,
    banStarted: boolean,
  ): WindowSnapshot {
    const { minute, day } = this.windows;
    const { perMinute, perDay } = limits;
    const unshared = this.mirrorOfRedis?.unshared;
    return {
      now,
      admitted,
      plainRefusals,
      minuteUsed: minute.total + (unshared?.minute.total ?? 0),
      dayUsed: day.total + (unshared?.day.total ?? 0),
      minuteResetMs: unshared
        ? resetMsOfBoth(minute, unshared.minute, perMinute, now)
        : resetMs(minute, perMinute, now),
      dayResetMs: unshared ? resetMsOfBoth(day, unshared.day, perDay, now) : resetMs(day, perDay, now),
      banMs: this.bans !== undefined && this.bans.until > at ? Math.ceil(this.bans.until - now) : 0,
      bans: this.bans?.count ?? 0,
      banStarted,
    };
  }
}
