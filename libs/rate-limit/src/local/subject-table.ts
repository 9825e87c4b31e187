import type { BanPolicy, RateLimitSubject } from '../policy.js';
import { SubjectRecord } from './subject-record.js';

/** Memory of a record without its batches, its name included, and of a number of a batch, in bytes. */
const RECORD_BYTES = 800;
const NUMBER_BYTES = 12;
/** Least time between two updates of a record's last use, in microseconds. */
const USE_INTERVAL_US = 1_000_000;

/** Records of subjects by their ids, in bounded memory: the least recently used one is dropped first. */
export class SubjectTable {
  /** By estimate. */
  bytes = 0;
  /** From the one unused for longest on. */
  private readonly records = new Map<string, SubjectRecord>();

  /** @param keptMs how long a record is kept without use */
  constructor(
    private readonly policy: BanPolicy | undefined,
    protected readonly maxBytes: number,
    private readonly keptMs: (record: SubjectRecord) => number,
  ) {}

  get size(): number {
    return this.records.size;
  }

  values(): IterableIterator<SubjectRecord> {
    return this.records.values();
  }

  /** The subject that requests of `subject` are charged to now. */
  effectiveSubject(subject: RateLimitSubject): RateLimitSubject {
    return subject;
  }

  find(id: string): SubjectRecord | undefined {
    return this.records.get(id);
  }

  /** A record that the table does not keep. */
  create(subject: RateLimitSubject): SubjectRecord {
    return new SubjectRecord(subject, this.policy);
  }

  /** The record of a subject that makes a request. */
  use(subject: RateLimitSubject, now: number): SubjectRecord {
    const { id } = subject;
    const record = this.records.get(id) ?? this.create(subject);
    record.subject = subject;
    if (now - record.usedAt > USE_INTERVAL_US) {
      this.records.delete(id);
      this.records.set(id, record);
      record.usedAt = now;
    }
    this.measure(record);
    return record;
  }

  /** Forgets what has not been used for so long that it does not matter any more, and what has left windows. */
  sweep(now: number): void {
    for (const [id, record] of this.records) {
      if (now - record.usedAt >= this.keptMs(record) * 1000) this.forget(id, record);
      else {
        record.counters.expire(now);
        this.measure(record);
      }
    }
  }

  clear(): void {
    this.records.clear();
    this.bytes = 0;
  }

  protected forget(id: string, record: SubjectRecord): void {
    this.records.delete(id);
    this.bytes -= record.bytes;
  }

  /** Updates the memory of a record, and makes room if there is too little. */
  private measure(record: SubjectRecord): void {
    const bytes = RECORD_BYTES + record.counters.size * NUMBER_BYTES;
    this.bytes += bytes - record.bytes;
    record.bytes = bytes;
    if (this.bytes <= this.maxBytes) return;
    for (const [id, oldest] of this.records) {
      if (this.bytes <= this.maxBytes || oldest === record) return;
      this.forget(id, oldest);
    }
  }
}
