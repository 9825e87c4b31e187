import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import { RateLimitResult } from '../decision/rate-limit-result.js';
import { stricter, type WindowSnapshot } from '../decision/window-snapshot.js';
import { RateLimiter } from '../decision/rate-limiter.js';
import type { BanPolicy } from '../policy/ban-policy.js';
import { type RateLimitSubject, SMALL_KEPT_MS, SMALL_SHARE } from '../policy/rate-limit-subject.js';
import { DAY } from '../policy/rate-limit-window.js';
import { AddressTable } from './address-table.js';
import { RecordTable } from './record-table.js';
import type { SubjectRecord } from './subject-record.js';

/** What time it is, in Unix milliseconds. */
export type Clock = () => number;

/** The system's time at the start of the process, and from then on a clock that no setting of the time changes. */
const steadyClock: Clock = () => performance.timeOrigin + performance.now();

const MIB = 2 ** 20;
const SWEEP_MS = 60_000;

/** How {@link LocalLimiter} may be set up otherwise than usual. */
export interface LocalLimiterOptions {
  readonly observer?: RateLimitObserver;
  /** For tests: what time it is, in place of the system's clocks. */
  readonly clock?: Clock | undefined;
  /** `undefined` for no bans. */
  readonly banPolicy?: BanPolicy | undefined;
  /** Most bytes for the counters of keys, and for those of addresses. */
  readonly keyBytes?: number;
  readonly addressBytes?: number;
  /** Most addresses that are metered by themselves at a time. */
  readonly maxAddresses?: number;
}

/**
 * Limits kept in this process: all there is for a service of one instance, and the second lock where there is a Redis.
 * Addresses have a table of their own: however many a flood brings, no key's counters give way to them.
 */
export class LocalLimiter extends RateLimiter {
  readonly keys: RecordTable;
  readonly addresses: AddressTable;
  private readonly clock: Clock;
  /** The clock for the times in results. */
  private readonly wallClock: Clock;
  private readonly sweeping: NodeJS.Timeout;

  constructor(options: LocalLimiterOptions = {}) {
    super(options.observer ?? {});
    const { clock, banPolicy, keyBytes = 64 * MIB, addressBytes = 32 * MIB, maxAddresses = 16_384 } = options;
    this.clock = clock ?? steadyClock;
    this.wallClock = clock ?? Date.now;
    const bansMs = banPolicy ? banPolicy.longestMs + banPolicy.repeatMs : 0;
    this.keys = new RecordTable(banPolicy, keyBytes, ({ counters }) =>
      counters.hasBans ? Math.max(DAY.lengthMs, bansMs) : DAY.lengthMs,
    );
    this.addresses = new AddressTable(maxAddresses, addressBytes, ({ counters, subject }) =>
      counters.day.sum <= subject.limits.perDay * SMALL_SHARE ? SMALL_KEPT_MS : DAY.lengthMs,
    );
    this.sweeping = setInterval(() => {
      this.sweep();
    }, SWEEP_MS).unref();
  }

  /** What time it is on this process' own clock, in whole microseconds. */
  now(): number {
    return Math.floor(this.clock() * 1000);
  }

  /** The subject that a request is charged to (where there are too many addresses, the network around one), and its record. */
  use(wanted: RateLimitSubject): { subject: RateLimitSubject; record: SubjectRecord } {
    const table = this.tableOf(wanted);
    const subject = table.effectiveSubject(wanted);
    return { subject, record: table.use(subject, this.now()) };
  }

  /** The same without a request: a subject that has made none has an empty record, which is not kept. */
  recordOf(wanted: RateLimitSubject): { subject: RateLimitSubject; record: SubjectRecord } {
    const table = this.tableOf(wanted);
    const subject = table.effectiveSubject(wanted);
    return { subject, record: table.find(subject.id) ?? table.create(subject) };
  }

  /** Decides about requests at once; about none it only looks. */
  decideNow(subject: RateLimitSubject, record: SubjectRecord, wanted: number): WindowSnapshot {
    const now = this.now();
    const allowed = record.allowed(now, subject.limits, wanted);
    return { ...record.counters.charge(now, subject, wanted, allowed), now: this.wallClock() };
  }

  peek(subject: RateLimitSubject): Promise<RateLimitResult> {
    return Promise.resolve(this.recall(subject));
  }

  recall(wanted: RateLimitSubject): RateLimitResult {
    const { subject, record } = this.recordOf(wanted);
    const now = this.now();
    const local = record.counters.charge(now, subject, 0);
    const seen = record.recall(now);
    const snapshot = seen ? stricter(seen, local, subject.limits) : local;
    return new RateLimitResult({ ...snapshot, now: this.wallClock() }, subject.limits);
  }

  liftBan(id: string): Promise<boolean> {
    return Promise.resolve(this.keys.find(id)?.counters.liftBan(this.now()) ?? false);
  }

  /** The subjects of which something was admitted here that Redis does not know of. */
  owing(): RateLimitSubject[] {
    const records = [...this.keys.values(), ...this.addresses.values()];
    return records.filter(({ owed }) => owed > 0).map(({ subject }) => subject);
  }

  /** Forgets what no longer matters. */
  sweep(): void {
    const now = this.now();
    this.keys.sweep(now);
    this.addresses.sweep(now);
  }

  close(): Promise<void> {
    clearInterval(this.sweeping);
    this.keys.clear();
    this.addresses.clear();
    return Promise.resolve();
  }

  protected decide(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.use(wanted);
    return Promise.resolve(new RateLimitResult(this.decideNow(subject, record, 1), subject.limits, 0));
  }

  private tableOf({ numerous }: RateLimitSubject): RecordTable {
    return numerous ? this.addresses : this.keys;
  }
}
