import type { BanPolicy } from '../ban-policy.js';
import { SubjectRecord } from './subject-record.js';

/** How exactly the order of use is kept, in milliseconds. */
const MOVE_EVERY_MS = 1_000;

/**
 * The records of many subjects, at most `capacity` of them: the one unused for longest goes first. Records
 * that no longer matter go as others are used.
 */
export class SubjectTable {
  readonly #policy: BanPolicy | undefined;
  readonly #capacity: number;
  /** In the order of their last use, as a Map keeps the order of insertion. */
  readonly #records = new Map<string, SubjectRecord>();

  constructor(policy: BanPolicy | undefined, capacity: number) {
    this.#policy = policy;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#records.size;
  }

  find(id: string): SubjectRecord | undefined {
    return this.#records.get(id);
  }

  /** The record of the subject, which is now the one used last, give or take a second. */
  use(id: string, now: number): SubjectRecord {
    let record = this.#records.get(id);
    if (record === undefined) {
      record = new SubjectRecord(this.#policy);
      this.#makeRoom(now);
    } else {
      // Moving a record costs more than a decision: a busy one moves once a second.
      if (Math.abs(now - record.movedAt) < MOVE_EVERY_MS) return record;
      this.#records.delete(id);
    }
    record.movedAt = now;
    this.#records.set(id, record);
    return record;
  }

  clear(): void {
    this.#records.clear();
  }

  /** Every new record drops up to two old ones that are not needed, so that none of those outnumber the others for long. */
  #makeRoom(now: number): void {
    let looked = 0;
    for (const [id, record] of this.#records) {
      if (this.#records.size < this.#capacity && (++looked > 2 || record.neededUntil > now)) return;
      this.#records.delete(id);
    }
  }
}
