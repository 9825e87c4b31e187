import { RateLimitResult, type RedisSnapshot, type WindowSnapshot } from '../limiter/rate-limit-result.js';
import type { LocalCounters } from '../local/local-counters.js';
import type { SubjectRecord } from '../local/subject-record.js';
import type { RateLimitSubject } from '../policy.js';
import { spellRequest } from './charge-script.js';

/** Receives the result of a request. */
export type OnResult = (result: RateLimitResult) => void;

/** The requests of one subject in one tick, which are decided together, in order of arrival. */
export class PendingCharge {
  private readonly waiting: OnResult[] = [];
  /** What was sent to Redis: how many may be admitted, how many were unsynced, and when. */
  private allowed = 0;
  private unsynced = 0;
  private sentAt = 0;

  /**
   * @param record what this process knows of the subject
   * @param isCharged whether the requests are charged; otherwise they only look
   */
  constructor(
    readonly subject: RateLimitSubject,
    readonly record: SubjectRecord,
    private readonly isCharged: boolean,
  ) {}

  /** Whether a request of `subject` can be decided together with these. */
  canJoin({ limits, bannable }: RateLimitSubject): boolean {
    const own = this.subject;
    return (
      limits.perMinute === own.limits.perMinute &&
      limits.perDay === own.limits.perDay &&
      bannable === own.bannable
    );
  }

  /** Adds a request. */
  join(onResult: OnResult): void {
    this.waiting.push(onResult);
  }

  /** What Redis is asked, as an argument of the script; notes that the requests are on their way. */
  begin(now: number): string {
    const { record, subject } = this;
    const wanted = this.isCharged ? this.waiting.length : 0;
    this.sentAt = now;
    this.allowed = record.allowed(now, subject.limits, wanted);
    record.pending += this.allowed;
    this.unsynced = record.unsynced;
    const request = spellRequest(subject, wanted, this.allowed);
    return this.unsynced === 0 ? request : `${request} ${record.takeUnsynced(now)}`;
  }

  /** Redis responded in time: this process counts what it has admitted. */
  apply(reply: RedisSnapshot, now: number): void {
    const { record, subject, sentAt } = this;
    record.pending -= this.allowed;
    this.resolve(record.apply(reply, subject.limits, sentAt, now, this.unsynced > 0));
  }

  /** There was no call, or no response in time: this process decides. */
  decideLocally(local: LocalCounters): void {
    const { record } = this;
    record.pending -= this.allowed;
    const snapshot = local.decide(this.subject, record, this.isCharged ? this.waiting.length : 0);
    record.addUnsynced(this.unsynced, snapshot.admitted);
    this.resolve(snapshot);
  }

  /** The response came after this process had decided: Redis has counted the requests after all. */
  applyLate(reply: RedisSnapshot): void {
    this.record.applyLate(reply, this.unsynced);
  }

  private resolve(snapshot: WindowSnapshot): void {
    const { limits } = this.subject;
    this.waiting.forEach((onResult, index) => {
      onResult(new RateLimitResult(snapshot, limits, this.isCharged ? index : undefined));
    });
  }
}
