import type { BanPolicy } from '../ban-policy.js';
import type { Clock } from '../clock.js';
import { Plan } from '../plan.js';
import type { Ban, RateLimitStore } from '../rate-limit-store.js';
import type { RateLimitSubject } from '../rate-limit-subject.js';
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

  /** Decides about `count` requests at once; with a count of 0 it only tells how things stand. */
  decide({ id, limits, bannable }: RateLimitSubject, count: number): Standing {
    const now = this.#clock();
    const table = bannable ? this.#keys : this.#addresses;
    const record = count > 0 ? table.use(id, now) : (table.find(id) ?? NOTHING);
    return record.charge(now, limits, bannable, count);
  }

  /**
   * Takes down what another store has decided about `count` requests, so that this one can go on from there,
   * and corrects it where that store has forgotten what was admitted here.
   */
  follow({ id, limits, bannable }: RateLimitSubject, count: number, decided: Standing): Standing {
    const table = bannable ? this.#keys : this.#addresses;
    const record = count > 0 ? table.use(id, decided.now) : table.find(id);
    return record?.follow(decided, limits, count) ?? decided;
  }

  charge(subject: RateLimitSubject): Promise<RateLimitVerdict> {
    return Promise.resolve(verdictOn(this.decide(subject, 1), subject.limits, 0));
  }

  peek(subject: RateLimitSubject): Promise<RateLimitVerdict> {
    return Promise.resolve(outlookOf(this.decide(subject, 0), subject.limits));
  }

  banOf(id: string): Promise<Ban | undefined> {
    return Promise.resolve(banIn(this.decide({ id, limits: NO_LIMITS, bannable: true }, 0)));
  }

  liftBan(id: string): Promise<boolean> {
    return Promise.resolve(this.#keys.find(id)?.liftBan(this.#clock()) ?? false);
  }

  close(): Promise<void> {
    this.#keys.clear();
    this.#addresses.clear();
    return Promise.resolve();
  }
}
