import type { BanPolicy } from '../ban-policy.js';
import { type Clock, steadyClock } from '../clock.js';
import { Plan } from '../plan.js';
import type { Ban, RateLimitStore } from '../rate-limit-store.js';
import type { RateLimitSubject } from '../rate-limit-subject.js';
import { DAY } from '../rate-limit-window.js';
import type { RateLimitVerdict } from '../rate-limit-verdict.js';
import { banIn, outlookOf, type Standing, verdictOn } from '../standing.js';
import { SubjectRecord } from './subject-record.js';
import { SubjectTable } from './subject-table.js';

const CAPACITY = 100_000;
const NO_LIMITS = { perMinute: Plan.MAX_LIMIT, perDay: Plan.MAX_LIMIT };
/** What is known of a subject that never made a request. */
const NOTHING = new SubjectRecord(undefined);

/** How an {@link InProcessStore} may be set up otherwise than usual. */
export interface InProcessStoreOptions {
  /** For tests: what time it is, in place of the system's clocks. */
  readonly clock?: Clock | undefined;
  /** `undefined` for no bans. */
  readonly banPolicy?: BanPolicy | undefined;
  /** Most keys, and most addresses, that are remembered at a time. 100,000 unless said. */
  readonly capacity?: number | undefined;
}

/**
 * Limits kept in this process: for a service of one instance, and for the time that Redis is away.
 *
 * Subjects that cannot be banned (addresses) have a table of their own: however many a flood brings, no
 * key's counters give way to them.
 */
export class InProcessStore implements RateLimitStore {
  /** What windows and bans are measured with. */
  readonly #clock: Clock;
  /** What callers are told the time by. */
  readonly #wallClock: Clock;
  readonly #keys: SubjectTable;
  readonly #addresses: SubjectTable;

  /** By how many milliseconds the clock of Redis was ahead of the one here. */
  #ahead = 0;
  #distrustUntil = 0;

  constructor({ clock, banPolicy, capacity = CAPACITY }: InProcessStoreOptions = {}) {
    this.#clock = clock ?? steadyClock();
    this.#wallClock = clock ?? Date.now;
    this.#keys = new SubjectTable(banPolicy, capacity);
    this.#addresses = new SubjectTable(undefined, capacity);
  }

  /** Decides about `count` requests at once; with a count of 0 it only tells how things stand. */
  decide({ id, limits, bannable }: RateLimitSubject, count: number): Standing {
    const now = this.#now();
    const table = this.#tableOf(bannable);
    const record = count > 0 ? table.use(id, now) : (table.find(id) ?? NOTHING);
    return record.charge(now, limits, bannable, count);
  }

  /**
   * Redis was away, or has lost its memory: for a day it may not know of all that was admitted here.
   */
  distrustRedis(): void {
    this.#distrustUntil = this.#now() + DAY.lengthMs + DAY.stepMs;
  }

  /** How many of `count` requests Redis may admit: fewer only where it is not to be trusted. */
  mostOf({ id, limits, bannable }: RateLimitSubject, count: number): number {
    if (this.#distrustUntil === 0) return count;
    const now = this.#now();
    if (this.#distrustUntil <= now) this.#distrustUntil = 0;
    const record = this.#tableOf(bannable).find(id);
    return record === undefined ? count : Math.min(count, record.roomAt(now, limits));
  }

  /**
   * Takes down what Redis has decided about `count` requests, to be able to go on from there at any moment,
   * and corrects it where Redis does not know of what was admitted here.
   */
  follow({ id, limits, bannable }: RateLimitSubject, count: number, decided: Standing): Standing {
    this.#ahead = decided.now - this.#clock();
    const table = this.#tableOf(bannable);
    const record = count > 0 ? table.use(id, decided.now) : table.find(id);
    return record?.follow(decided, limits, bannable) ?? decided;
  }

  charge(subject: RateLimitSubject): Promise<RateLimitVerdict> {
    return Promise.resolve(verdictOn(this.#told(this.decide(subject, 1)), subject.limits, 0));
  }

  peek(subject: RateLimitSubject): Promise<RateLimitVerdict> {
    return Promise.resolve(this.recall(subject));
  }

  recall(subject: RateLimitSubject): RateLimitVerdict {
    return outlookOf(this.#told(this.decide(subject, 0)), subject.limits);
  }

  banOf(id: string): Promise<Ban | undefined> {
    return Promise.resolve(banIn(this.decide({ id, limits: NO_LIMITS, bannable: true }, 0)));
  }

  liftBan(id: string): Promise<boolean> {
    return Promise.resolve(this.#keys.find(id)?.liftBan(this.#now()) ?? false);
  }

  close(): Promise<void> {
    this.#keys.clear();
    this.#addresses.clear();
    return Promise.resolve();
  }

  /** Where no Redis says what time it is, callers are told it as the system's clock shows it now. */
  #told(standing: Standing): Standing {
    return this.#ahead === 0 ? { ...standing, now: this.#wallClock() } : standing;
  }

  /** The time of Redis, as far as it is known: its counters and those here then speak of the same moments. */
  #now(): number {
    return this.#clock() + this.#ahead;
  }

  #tableOf(bannable: boolean): SubjectTable {
    return bannable ? this.#keys : this.#addresses;
  }
}
