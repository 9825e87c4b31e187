import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { CoalescedCharge, type OnSnapshot } from './coalesced-charge.js';

/** The charges asked for in one turn of the event loop, which are sent at its end. */
export class ChargeBatch {
  private readonly all: CoalescedCharge[] = [];
  /** The latest charge for each subject. */
  private readonly bySubject = new Map<string, CoalescedCharge>();

  get charges(): readonly CoalescedCharge[] {
    return this.all;
  }

  /** Adds a request that is to be charged. Those of one subject are decided as one. */
  charge(subject: RateLimitSubject, onSnapshot: OnSnapshot): void {
    let charge = this.bySubject.get(subject.id);
    if (!charge?.canJoin(subject)) {
      charge = new CoalescedCharge(subject, true);
      this.bySubject.set(subject.id, charge);
      this.all.push(charge);
    }
    charge.add(onSnapshot);
  }

  /** Adds a question that charges nothing. */
  peek(subject: RateLimitSubject, onSnapshot: OnSnapshot): void {
    const charge = new CoalescedCharge(subject, false);
    charge.add(onSnapshot);
    this.all.push(charge);
  }
}
