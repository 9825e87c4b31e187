import { SubjectCounters } from '../counters/subject-counters.js';
import { type RedisSnapshot, stricter, type WindowSnapshot } from '../decision/window-snapshot.js';
import type { BanPolicy } from '../policy/ban-policy.js';
import type { PlanLimits } from '../policy/plan.js';
import { type RateLimitSubject, SMALL_KEPT_MS } from '../policy/rate-limit-subject.js';

/** How long a response of Redis is good for {@link SubjectRecord.recall}, in microseconds. */
const RECALLED_FOR_US = 1_000_000;

/**
 * What this process has admitted of a subject. Where there is a Redis, that decides for all processes, and these
 * counters are a second lock before it: a request has to pass both.
 */
export class SubjectRecord {
  readonly counters: SubjectCounters;
  /** Requests that Redis was asked for and has not responded to: they may be admitted any moment. */
  inFlight = 0;
  /** Requests that were admitted here alone: Redis does not know of them yet. */
  owed = 0;
  /** What its table notes: its memory, and when it was used last, in microseconds. */
  bytes = 0;
  usedAt = -Infinity;
  /** Requests that are younger than those that are owed, and that Redis does know of. */
  private known = 0;
  /** When the value in Redis was made; 0 for unknown. */
  private born = 0;
  /** How the subject stood when Redis last responded, and when that was, on this process' clock in microseconds. */
  private seen: WindowSnapshot | undefined;
  private seenAt = -Infinity;

  /**
   * @param subject as its latest request had it
   * @param banPolicy `undefined` for no bans
   */
  constructor(
    public subject: RateLimitSubject,
    banPolicy: BanPolicy | undefined,
  ) {
    this.counters = new SubjectCounters(banPolicy);
  }

  /** How many requests this process can still admit. */
  allowed(now: number, limits: PlanLimits, wanted: number): number {
    return Math.max(0, Math.min(wanted, this.counters.room(now, limits) - this.inFlight));
  }

  /**
   * Takes in what Redis decided about requests that were sent at `sentAt`.
   *
   * @param told whether it was told of what it did not know
   * @returns how the subject stands by both counts, and whether Redis had lost what it was still to keep
   */
  mirror(
    decided: RedisSnapshot,
    limits: PlanLimits,
    sentAt: number,
    now: number,
    told: boolean,
  ): { snapshot: WindowSnapshot; isLost: boolean } {
    // A value that was made anew has lost what was counted before, which is then told like what was admitted without it.
    const isNew = this.born !== decided.born && this.born !== 0;
    if (isNew && !told) this.owed = this.counters.day.sum;
    // Redis keeps each value for that long at least.
    const isLost = isNew && now - this.seenAt < SMALL_KEPT_MS * 1000;
    this.born = decided.born;
    // Not later than Redis has dated them, so that both locks open at once.
    if (decided.admitted > 0) this.counters.admit(sentAt, decided.admitted);
    if (this.owed > 0) this.known += decided.admitted;
    this.counters.setBan(now, decided.banMs, decided.bans);
    const snapshot = stricter(decided, this.counters.use(now, limits), limits);
    this.seen = snapshot;
    this.seenAt = now;
    return { snapshot, isLost };
  }

  /** Redis does not know of `unsent` requests that it was to be told of, nor of `admitted` new ones. */
  owe(unsent: number, admitted: number): void {
    this.owed += unsent + admitted;
    if (admitted > 0) this.known = 0;
  }

  /** What Redis is told of the requests that it does not know of, as an argument of the script; they count as told. */
  takeOwed(now: number): string {
    const { owed, known, born, counters } = this;
    this.owed = 0;
    this.known = 0;
    return `${born} ${owed} ${counters.minute.tell(now, known)} ${counters.day.tell(now, known)}`;
  }

  /** What Redis responded last, if that was just now. */
  recall(now: number): WindowSnapshot | undefined {
    return now - this.seenAt < RECALLED_FOR_US ? this.seen : undefined;
  }
}
