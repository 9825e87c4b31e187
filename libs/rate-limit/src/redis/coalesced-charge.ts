import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { SubjectRecord } from '../in-process/subject-record.js';
import type { WindowSnapshot } from '../decision/window-snapshot.js';

/** Called with the state of the subject, and the request's number among those that were decided together. */
export type OnSnapshot = (snapshot: WindowSnapshot, index: number) => void;

/** The requests of one subject that are decided together, in the order in which they came. */
export class CoalescedCharge {
  /** Most requests in one decision: four digits on the wire, and what one batch of the script can hold. */
  static readonly MAX_REQUESTS = 9_999;

  private readonly waiting: OnSnapshot[] = [];
  /** What this process knows of the subject, as of when the requests were sent. */
  record: SubjectRecord | undefined;
  /** Whether Redis was sent use that it does not know of. */
  hasUnshared = false;
  /** How often it was asked about. */
  rounds = 0;

  /** @param charged whether the requests are charged; otherwise they only ask how things stand. */
  constructor(
    readonly subject: RateLimitSubject,
    readonly charged: boolean,
  ) {}

  /** How many requests are to be charged. */
  get count(): number {
    return this.charged ? this.waiting.length : 0;
  }

  /** Whether a request of `subject` can be decided together with these. */
  canJoin({ limits, bannable }: RateLimitSubject): boolean {
    const { subject } = this;
    return (
      (limits === subject.limits ||
        (limits.perMinute === subject.limits.perMinute && limits.perDay === subject.limits.perDay)) &&
      bannable === subject.bannable &&
      this.waiting.length < CoalescedCharge.MAX_REQUESTS
    );
  }

  add(onSnapshot: OnSnapshot): void {
    this.waiting.push(onSnapshot);
  }

  resolveAll(snapshot: WindowSnapshot): void {
    for (let i = 0; i < this.waiting.length; i++) this.waiting[i]?.(snapshot, i);
  }
}
