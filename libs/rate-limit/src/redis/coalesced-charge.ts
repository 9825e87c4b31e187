import { RateLimitResult } from '../decision/rate-limit-result.js';
import type { RedisSnapshot, WindowSnapshot } from '../decision/window-snapshot.js';
import type { LocalLimiter } from '../local/local-limiter.js';
import type { SubjectRecord } from '../local/subject-record.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { spellRequest } from './charge-wire.js';

/** The requests of one subject in one tick, which are decided together, in the order in which they came. */
export class CoalescedCharge {
  private readonly waiting: ((result: RateLimitResult) => void)[] = [];
  /** What was sent to Redis: how many may be admitted, how many were admitted before without it, and when. */
  private allowed = 0;
  private owed = 0;
  private sentAt = 0;

  /**
   * @param record what this process knows of the subject
   * @param charged whether the requests are charged; otherwise they only look
   */
  constructor(
    readonly subject: RateLimitSubject,
    readonly record: SubjectRecord,
    private readonly charged: boolean,
  ) {}

  /** How many requests are to be charged. */
  private get wanted(): number {
    return this.charged ? this.waiting.length : 0;
  }

  /** Whether a request of `subject` can be decided together with these. */
  canJoin({ limits, bannable }: RateLimitSubject): boolean {
    const own = this.subject;
    return (
      limits.perMinute === own.limits.perMinute &&
      limits.perDay === own.limits.perDay &&
      bannable === own.bannable
    );
  }

  /** Adds a request, and resolves when it is decided. */
  join(): Promise<RateLimitResult> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** What Redis is asked, as an argument of the script; notes that the requests are on their way. */
  beginRequest(now: number): string {
    const { record, subject, wanted } = this;
    this.sentAt = now;
    this.allowed = record.allowed(now, subject.limits, wanted);
    record.inFlight += this.allowed;
    this.owed = record.owed;
    const request = spellRequest(subject, wanted, this.allowed);
    return this.owed === 0 ? request : `${request} ${record.takeOwed(now)}`;
  }

  /** Redis responded in time: this process counts what it has admitted. Returns whether Redis had lost its counters. */
  onReply(decided: RedisSnapshot, now: number): boolean {
    const { record, subject, sentAt } = this;
    record.inFlight -= this.allowed;
    const { snapshot, isLost } = record.mirror(decided, subject.limits, sentAt, now, this.owed > 0);
    this.resolveAll(snapshot);
    return isLost;
  }

  /** Decides without Redis, which was not asked, or did not respond in time. */
  decideAlone(local: LocalLimiter): void {
    const { record } = this;
    record.inFlight -= this.allowed;
    const snapshot = local.decideNow(this.subject, record, this.wanted);
    record.owe(this.owed, snapshot.admitted);
    this.resolveAll(snapshot);
  }

  /** The response came when the requests had been decided without it: Redis knows of them after all. */
  onLateReply({ admitted }: WindowSnapshot): void {
    this.record.owed = Math.max(0, this.record.owed - this.owed - admitted);
  }

  private resolveAll(snapshot: WindowSnapshot): void {
    const { limits } = this.subject;
    this.waiting.forEach((resolve, index) => {
      resolve(new RateLimitResult(snapshot, limits, this.charged ? index : undefined));
    });
  }
}
