import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { Decision, type OnStanding } from './coalesced-charge.js';

/** The decisions asked for in one turn of the event loop, which are sent at its end. */
export class Turn {
  readonly #decisions: Decision[] = [];
  /** The latest decision for each subject. */
  readonly #bySubject = new Map<string, Decision>();

  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  /** Adds a request that is to be charged. Those of one subject are decided as one. */
  charge(subject: RateLimitSubject, onStanding: OnStanding): void {
    let decision = this.#bySubject.get(subject.id);
    if (!decision?.takes(subject)) {
      decision = new Decision(subject, true);
      this.#bySubject.set(subject.id, decision);
      this.#decisions.push(decision);
    }
    decision.add(onStanding);
  }

  /** Adds a question that charges nothing. */
  peek(subject: RateLimitSubject, onStanding: OnStanding): void {
    const decision = new Decision(subject, false);
    decision.add(onStanding);
    this.#decisions.push(decision);
  }
}
