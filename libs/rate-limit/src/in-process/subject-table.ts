import type { BanPolicy } from '../policy/ban-policy.js';
import type { MemoryAccount } from '../windows/memory-account.js';
import { SubjectRecord } from './subject-record.js';

/** How exactly the order of use is kept, in milliseconds. */
const MOVE_EVERY_MS = 1_000;
/** A record that was not used for so long may lose precision when memory is short. */
const IDLE_MS = 60_000;
/** Records looked at for memory when a new one needs it, and in a sweep. */
const LOOKED_AT = 32;
const LOOKED_AT_IN_SWEEP = 1_024;
/** A sweep looks at one in so many records: all of them within half a minute of sweeps a second. */
const SWEPT_SHARE = 1 / 30;
const LEAST_SWEPT = 8;
/** What a record takes beside its rings, with its id and its place in the table; as measured. */
const RECORD_BYTES = 800;

/**
 * The records of many subjects, within `mostBytes`. Records that no longer matter go in sweeps. When memory is
 * short, records that were not used for a minute are made coarse first, which lets no subject have more than its
 * limits; only then does the one unused for longest go.
 */
export class SubjectTable {
  private readonly policy: BanPolicy | undefined;
  private readonly mostBytes: number;
  private readonly onRemoved: ((id: string) => void) | undefined;
  /** In the order of their last use, as a Map keeps the order of insertion. */
  private readonly records = new Map<string, SubjectRecord>();
  private readonly rings: MemoryAccount = { bytes: 0 };
  private sweepCursor: MapIterator<[string, SubjectRecord]> | undefined;
  private coarsenCursor: MapIterator<SubjectRecord> | undefined;

  constructor(policy: BanPolicy | undefined, mostBytes: number, onRemoved?: (id: string) => void) {
    this.policy = policy;
    this.mostBytes = mostBytes;
    this.onRemoved = onRemoved;
  }

  get size(): number {
    return this.records.size;
  }

  /** What the records take, by estimate. */
  get bytes(): number {
    return this.records.size * RECORD_BYTES + this.rings.bytes;
  }

  get isFull(): boolean {
    return this.bytes >= this.mostBytes;
  }

  find(id: string): SubjectRecord | undefined {
    return this.records.get(id);
  }

  /** The record of the subject, which is now the one used last, give or take a second. */
  use(id: string, now: number): SubjectRecord {
    let record = this.records.get(id);
    if (record === undefined) {
      if (this.isFull) this.makeRoom(now, LOOKED_AT);
      record = new SubjectRecord(this.policy, this.rings);
    } else {
      // Moving a record costs more than a decision: a busy one moves once a second.
      if (Math.abs(now - record.movedAt) < MOVE_EVERY_MS) return record;
      this.records.delete(id);
    }
    record.movedAt = now;
    this.records.set(id, record);
    return record;
  }

  /** Looks at a share of the records, and lets go of what no longer matters; to be called about once a second. */
  sweep(now: number): void {
    this.sweepCursor ??= this.records.entries();
    for (let left = LEAST_SWEPT + this.records.size * SWEPT_SHARE; left > 0; left--) {
      const next = this.sweepCursor.next();
      if (next.done) {
        this.sweepCursor = undefined;
        break;
      }
      const [id, record] = next.value;
      if (!record.tidy(now)) this.remove(id, record);
    }
    if (this.isFull) this.makeRoom(now, LOOKED_AT_IN_SWEEP);
  }

  clear(): void {
    for (const [id, record] of this.records) this.remove(id, record);
  }

  private makeRoom(now: number, most: number): void {
    for (let left = most; left > 0 && this.isFull; left--) {
      this.coarsenCursor ??= this.records.values();
      const next = this.coarsenCursor.next();
      // Those in use are at the end: from there on it begins anew.
      if (next.done || Math.abs(now - next.value.movedAt) < IDLE_MS) this.coarsenCursor = undefined;
      else {
        next.value.tidy(now);
        next.value.coarsen();
      }
    }
    for (const [id, record] of this.records) {
      if (!this.isFull) break;
      this.remove(id, record);
    }
  }

  private remove(id: string, record: SubjectRecord): void {
    this.records.delete(id);
    record.leaveAccount();
    this.onRemoved?.(id);
  }
}
