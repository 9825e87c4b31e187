import { RateLimitResult, type WindowSnapshot } from '../limiter/rate-limit-result.js';
import { type BanPolicy, DAY, type RateLimitSubject, SMALL_KEPT_MS, SMALL_SHARE } from '../policy.js';
import { AddressTable } from './address-table.js';
import type { SubjectRecord } from './subject-record.js';
import { SubjectTable } from './subject-table.js';

const MIB = 2 ** 20;
const SWEEP_MS = 60_000;

/** How {@link LocalCounters} may be set up otherwise than usual. */
export interface LocalCountersOptions {
  /** For tests: Unix time in milliseconds, instead of the system's clocks. */
  readonly clock?: (() => number) | undefined;
  /** `undefined` for no bans. */
  readonly banPolicy?: BanPolicy | undefined;
  /** Most bytes for the counters of keys, and for those of addresses. */
  readonly keyBytes?: number;
  readonly addressBytes?: number;
  /** Most addresses that are counted separately at a time. */
  readonly maxAddresses?: number;
}

/**
 * What this process has admitted. Addresses have a separate table: however many a flood brings, they displace no counters of
 * keys.
 */
export class LocalCounters {
  readonly keys: SubjectTable;
  readonly addresses: AddressTable;
  /** Unix time in milliseconds, by a clock that no setting of the system's time changes. */
  private readonly steadyMs: () => number;
  /** The same for the times in results, which have to agree with the clocks of clients. */
  private readonly wallMs: () => number;
  private readonly sweeping: NodeJS.Timeout;

  constructor({
    clock,
    banPolicy,
    keyBytes = 64 * MIB,
    addressBytes = 32 * MIB,
    maxAddresses = 16_384,
  }: LocalCountersOptions = {}) {
    this.steadyMs = clock ?? (() => performance.timeOrigin + performance.now());
    this.wallMs = clock ?? Date.now;
    const bansMs = banPolicy ? banPolicy.longestMs + banPolicy.repeatMs : 0;
    this.keys = new SubjectTable(banPolicy, keyBytes, ({ counters }) =>
      counters.hasBans ? Math.max(DAY.lengthMs, bansMs) : DAY.lengthMs,
    );
    this.addresses = new AddressTable(maxAddresses, addressBytes, ({ counters, subject }) =>
      counters.day.sum <= subject.limits.perDay * SMALL_SHARE ? SMALL_KEPT_MS : DAY.lengthMs,
    );
    this.sweeping = setInterval(() => {
      this.sweep();
    }, SWEEP_MS).unref();
  }

  /** The time on this process' own clock, in whole microseconds. */
  now(): number {
    return Math.floor(this.steadyMs() * 1000);
  }

  /**
   * The record of a subject that makes a request. Its `subject` is what the request is charged to: where there are too many
   * addresses, the network around one.
   */
  use(wanted: RateLimitSubject): SubjectRecord {
    const table = this.tableOf(wanted);
    return table.use(table.effectiveSubject(wanted), this.now());
  }

  /** The same without a request: a subject that has made none has an empty record, which is not kept. */
  find(wanted: RateLimitSubject): { subject: RateLimitSubject; record: SubjectRecord } {
    const table = this.tableOf(wanted);
    const subject = table.effectiveSubject(wanted);
    return { subject, record: table.find(subject.id) ?? table.create(subject) };
  }

  charge(wanted: RateLimitSubject): RateLimitResult {
    const record = this.use(wanted);
    return new RateLimitResult(this.decide(record.subject, record, 1), record.subject.limits, 0);
  }

  /** Decides about requests by this process' counters alone; about none it only looks. */
  decide(subject: RateLimitSubject, record: SubjectRecord, wanted: number): WindowSnapshot {
    const now = this.now();
    const allowed = record.allowed(now, subject.limits, wanted);
    return { ...record.counters.charge(now, subject, wanted, allowed), now: this.wallMs() };
  }

  /** How a request would fare, by these counters and by what Redis has just said. */
  peek(wanted: RateLimitSubject): RateLimitResult {
    const { subject, record } = this.find(wanted);
    return new RateLimitResult({ ...record.peek(this.now(), subject), now: this.wallMs() }, subject.limits);
  }

  /** Ends the ban of a key; returns whether there was one. */
  liftBan(id: string): boolean {
    return this.keys.find(id)?.counters.liftBan(this.now()) ?? false;
  }

  /** The records of subjects with admissions that Redis has not counted. */
  unsynced(): SubjectRecord[] {
    return [...this.keys.values(), ...this.addresses.values()].filter(({ unsynced }) => unsynced > 0);
  }

  /** Removes what has expired. */
  sweep(): void {
    const now = this.now();
    this.keys.sweep(now);
    this.addresses.sweep(now);
  }

  close(): void {
    clearInterval(this.sweeping);
    this.keys.clear();
    this.addresses.clear();
  }

  private tableOf({ numerous }: RateLimitSubject): SubjectTable {
    return numerous ? this.addresses : this.keys;
  }
}
