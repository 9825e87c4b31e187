import type { BanPolicy } from '../policy/ban-policy.js';
import { type Clock, steadyClock } from '../windows/clock.js';
import { Plan } from '../policy/plan.js';
import type { Ban, RateLimitStore } from '../decision/rate-limit-store.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RateLimitResult } from '../decision/rate-limit-result.js';
import { toBan, peekResult, type WindowSnapshot, toResult } from '../decision/window-snapshot.js';
import { AddressTable, MOST_ADDRESSES } from './address-table.js';
import type { RedisMirror } from './redis-mirror.js';
import { SubjectRecord } from './subject-record.js';
import { SubjectTable } from './subject-table.js';

/** Most memory for the counters of keys, and for those of addresses. */
const KEY_BYTES = 64 * 2 ** 20;
const ADDRESS_BYTES = 32 * 2 ** 20;
/** Time between two looks at what no longer matters, in milliseconds. */
const SWEEP_EVERY_MS = 1_000;
const NO_LIMITS = { perMinute: Plan.MAX_LIMIT, perDay: Plan.MAX_LIMIT };
/** What is known of a subject that never made a request. */
const NOTHING = new SubjectRecord(undefined);

/** How an {@link InProcessStore} may be set up otherwise than usual. */
export interface InProcessStoreOptions {
  /** For tests: what time it is, in place of the system's clocks. */
  readonly clock?: Clock | undefined;
  /** `undefined` for no bans. */
  readonly banPolicy?: BanPolicy | undefined;
  /** Most bytes for the counters of keys. 64 MiB unless said. */
  readonly keyBytes?: number | undefined;
  /** Most bytes for the counters of addresses. 32 MiB unless said. */
  readonly addressBytes?: number | undefined;
  /** Most addresses that are metered by themselves at a time. {@link MOST_ADDRESSES} unless said. */
  readonly mostAddresses?: number | undefined;
}

/**
 * Limits kept in this process: for a service of one instance, and for the time that Redis is unavailable.
 *
 * Addresses have a table of their own: however many a flood brings, no key's counters give way to them.
 */
export class InProcessStore implements RateLimitStore {
  /** What windows and bans are measured with. */
  private readonly clock: Clock;
  /** The clock for the times in results. */
  private readonly wallClock: Clock;
  private readonly keys: SubjectTable;
  private readonly addresses: AddressTable;
  private readonly sweeping: NodeJS.Timeout;

  /** By how many milliseconds the clock of Redis was clockOffset of the one here. */
  private clockOffset = 0;

  constructor(options: InProcessStoreOptions = {}) {
    const { clock, banPolicy, keyBytes = KEY_BYTES } = options;
    const { addressBytes = ADDRESS_BYTES, mostAddresses = MOST_ADDRESSES } = options;
    this.clock = clock ?? steadyClock();
    this.wallClock = clock ?? Date.now;
    this.keys = new SubjectTable(banPolicy, keyBytes);
    this.addresses = new AddressTable(mostAddresses, addressBytes);
    this.sweeping = setInterval(() => {
      this.sweep();
    }, SWEEP_EVERY_MS).unref();
  }

  /** Bytes that the counters take, by estimate, and how many subjects they are of. */
  get memory(): { readonly bytes: number; readonly keys: number; readonly addresses: number } {
    const { bytes, size: keys } = this.keys;
    return { bytes: bytes + this.addresses.bytes, keys, addresses: this.addresses.size };
  }

  /**
   * Whom requests of the subject are charged to: where there are too many addresses, the network around it.
   *
   * @param charged whether one is about to be: then it has its place from now on
   */
  effectiveSubject(subject: RateLimitSubject, charged: boolean): RateLimitSubject {
    if (!subject.numerous) return subject;
    const metered = this.addresses.effectiveSubject(subject);
    if (charged) this.addresses.use(metered.id, this.now());
    return metered;
  }

  /** Decides about `count` requests at once; with a count of 0 it only reports the state. */
  decide(subject: RateLimitSubject, count: number): WindowSnapshot {
    return (this.recordOf(subject, count) ?? NOTHING).charge(this.now(), subject, count);
  }

  /**
   * Decides although there is a Redis, which does not know of it.
   *
   * @param sent whether Redis may have got the requests, and may have decided about them, too
   */
  decideLocally(subject: RateLimitSubject, count: number, sent: boolean): WindowSnapshot {
    const record = this.recordOf(subject, count);
    if (record === undefined) return NOTHING.charge(this.now(), subject, 0);
    const snapshot = record.charge(this.now(), subject, count, true);
    if (sent) record.redisMirror.markUncertain(count);
    return snapshot;
  }

  /** The record of the subject; `undefined` where there is none and nothing is charged. */
  recordOf({ id, numerous }: RateLimitSubject, count: number): SubjectRecord | undefined {
    const table = numerous ? this.addresses : this.keys;
    return count > 0 ? table.use(id, this.now()) : table.find(id);
  }

  /** What is about to be sent to Redis about the subject of a record. */
  prepareMirror(record: SubjectRecord, subject: RateLimitSubject): RedisMirror {
    return record.prepareMirror(this.now(), subject);
  }

  /** Redis reported its time. */
  syncClock(now: number): void {
    this.clockOffset = now - this.clock();
  }

  /** Looks at some of the records, and lets go of what no longer matters. */
  sweep(): void {
    const now = this.now();
    this.keys.sweep(now);
    this.addresses.sweep(now);
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  charge(subject: RateLimitSubject): Promise<RateLimitResult> {
    const snapshot = this.decide(this.effectiveSubject(subject, true), 1);
    return Promise.resolve(toResult(this.withWallClock(snapshot), subject.limits, 0));
  }

  peek(subject: RateLimitSubject): Promise<RateLimitResult> {
    return Promise.resolve(this.recall(subject));
  }

  recall(subject: RateLimitSubject): RateLimitResult {
    return peekResult(
      this.withWallClock(this.decide(this.effectiveSubject(subject, false), 0)),
      subject.limits,
    );
  }

  banOf(id: string): Promise<Ban | undefined> {
    return Promise.resolve(toBan(this.decide({ id, limits: NO_LIMITS, bannable: true }, 0)));
  }

  liftBan(id: string): Promise<boolean> {
    return Promise.resolve(this.keys.find(id)?.liftBan(this.now()) ?? false);
  }

  close(): Promise<void> {
    clearInterval(this.sweeping);
    this.keys.clear();
    this.addresses.clear();
    return Promise.resolve();
  }

  /** Without the time of a Redis, results have the time of the system's clock. */
  private withWallClock(snapshot: WindowSnapshot): WindowSnapshot {
    return this.clockOffset === 0 ? { ...snapshot, now: this.wallClock() } : snapshot;
  }

  /** The time of Redis, as far as it is known: its counters and those here then speak of the same moments. */
  private now(): number {
    return this.clock() + this.clockOffset;
  }
}
