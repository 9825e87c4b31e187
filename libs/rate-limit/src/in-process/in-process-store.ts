import type { BanPolicy } from '../ban-policy.js';
import type { Clock } from '../clock.js';
import type { Ban, RateLimitStore } from '../rate-limit-store.js';
import type { RateLimitSubject } from '../rate-limit-subject.js';
import type { RateLimitVerdict } from '../rate-limit-verdict.js';
import { outlookOf, verdictOn } from '../standing.js';
import { SubjectRecord } from './subject-record.js';
import { SubjectTable } from './subject-table.js';

const CAPACITY = 100_000;
const NO_LIMITS = { perMinute: 0, perDay: 0 };

/** How an {@link InProcessStore} may be set up otherwise than usual. */
export interface InProcessStoreOptions {
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
  readonly #clock: Clock;
  readonly #keys: SubjectTable;
  readonly #addresses: SubjectTable;

  constructor({ clock = Date.now, banPolicy, capacity = CAPACITY }: InProcessStoreOptions = {}) {
    this.#clock = clock;
    this.#keys = new SubjectTable(banPolicy, capacity);
    this.#addresses = new SubjectTable(undefined, capacity);
  }

  /** As {@link InProcessStore.charge}, at once. */
  chargeNow(subject: RateLimitSubject): RateLimitVerdict {
    const now = this.#clock();
    const record = this.#tableOf(subject).use(subject.id, now);
    return verdictOn(record.charge(now, subject.limits, subject.bannable, 1), subject.limits, 0);
  }

  /** As {@link InProcessStore.peek}, at once. */
  peekNow(subject: RateLimitSubject): RateLimitVerdict {
    const record = this.#tableOf(subject).find(subject.id) ?? new SubjectRecord(undefined);
    return outlookOf(record.charge(this.#clock(), subject.limits, subject.bannable, 0), subject.limits);
  }

  charge(subject: RateLimitSubject): Promise<RateLimitVerdict> {
    return Promise.resolve(this.chargeNow(subject));
  }

  peek(subject: RateLimitSubject): Promise<RateLimitVerdict> {
    return Promise.resolve(this.peekNow(subject));
  }

  banOf(id: string): Promise<Ban | undefined> {
    const standing = this.#keys.find(id)?.charge(this.#clock(), NO_LIMITS, true, 0);
    if (standing === undefined || standing.banMs === 0) return Promise.resolve(undefined);
    return Promise.resolve({ remainingMs: standing.banMs, count: standing.bans });
  }

  liftBan(id: string): Promise<boolean> {
    return Promise.resolve(this.#keys.find(id)?.liftBan(this.#clock()) ?? false);
  }

  close(): Promise<void> {
    this.#keys.clear();
    this.#addresses.clear();
    return Promise.resolve();
  }

  #tableOf(subject: RateLimitSubject): SubjectTable {
    return subject.bannable ? this.#keys : this.#addresses;
  }
}
