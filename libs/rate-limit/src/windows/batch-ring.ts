import type { MemoryAccount } from './memory-account.js';

/** Batches in a new ring; doubled whenever it is full. */
const FIRST_CAPACITY = 4;
/** A ring of at least this capacity is halved when an eighth of it is in use. */
const SHRINKS_FROM = 16;
/** What a ring takes beside its entries, in bytes: this object, the typed array and its buffer, as measured. */
const OVERHEAD_BYTES = 260;
/** Numbers in the ring for each batch: its moment and its count. */
const WIDTH = 2;

/**
 * A queue of batches in 8 bytes each: the moment modulo 2^32 ms, which is 49 days, and the count.
 *
 * The reader of a moment says which is the `latest`: the moments are the last ones before it, and less than 49 days
 * apart.
 */
export class BatchRing {
  /** Its length is a power of two. */
  private numbers = new Uint32Array(FIRST_CAPACITY * WIDTH);
  /** Where the oldest batch is, and how many numbers are in use from there on. */
  private head = 0;
  private used = 0;

  constructor(private account: MemoryAccount) {
    account.bytes += this.bytes;
  }

  /** How many batches there are. */
  get size(): number {
    return this.used / WIDTH;
  }

  get isEmpty(): boolean {
    return this.used === 0;
  }

  get bytes(): number {
    return this.numbers.byteLength + OVERHEAD_BYTES;
  }

  /** Units of the batch number `index`, from 0 for the oldest. */
  unitsAt(index: number): number {
    return this.numbers[this.wrap(this.head + index * WIDTH) + 1] ?? 0;
  }

  /** Moment of the batch number `index`, from 0 for the oldest. */
  momentAt(index: number, latest: number): number {
    return latest - ((latest - (this.numbers[this.wrap(this.head + index * WIDTH)] ?? 0)) >>> 0);
  }

  push(moment: number, units: number): void {
    if (this.used === this.numbers.length) this.resize(this.numbers.length * 2);
    const place = this.wrap(this.head + this.used);
    // A typed array keeps what is left modulo 2^32.
    this.numbers[place] = moment;
    this.numbers[place + 1] = units;
    this.used += WIDTH;
  }

  /** Removes the oldest batch, and gives its units. */
  shift(): number {
    const units = this.unitsAt(0);
    this.head = this.wrap(this.head + WIDTH);
    this.used -= WIDTH;
    return units;
  }

  /** Takes `units` from the oldest batch, which holds more than that. */
  reduceOldest(units: number): void {
    this.numbers[this.head + 1] = this.unitsAt(0) - units;
  }

  /** Gives back memory that is not needed any more. */
  shrink(): void {
    if (this.used * 8 <= this.numbers.length && this.numbers.length >= SHRINKS_FROM * WIDTH) {
      this.resize(this.numbers.length / 2);
    }
  }

  /** Takes its bytes out of the account, for good. */
  leaveAccount(): void {
    this.account.bytes -= this.bytes;
    this.account = { bytes: 0 };
  }

  private wrap(place: number): number {
    return place & (this.numbers.length - 1);
  }

  private resize(length: number): void {
    const numbers = new Uint32Array(length);
    const first = Math.min(this.used, this.numbers.length - this.head);
    numbers.set(this.numbers.subarray(this.head, this.head + first));
    numbers.set(this.numbers.subarray(0, this.used - first), first);
    this.account.bytes += numbers.byteLength - this.numbers.byteLength;
    this.numbers = numbers;
    this.head = 0;
  }
}
