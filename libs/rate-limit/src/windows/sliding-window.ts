import { type MemoryAccount, UNCOUNTED } from './memory-account.js';

/** Batches in the first ring; doubled whenever it is full. */
const FIRST_CAPACITY = 4;
/** A ring of at least this capacity is halved when an eighth of it is in use. */
const SHRINKS_FROM = 16;
/** Most that one batch holds, as in the store on Redis: the two let go of the same at the same moment. */
const MAX_BATCH = 65_535;
/** What a ring takes beside its entries: the typed array and its buffer, as measured. */
const RING_OVERHEAD_BYTES = 200;
const NO_RING = new Uint32Array(0);

/** Units that leave a window together, `lengthMs` after `at`. */
export interface Batch {
  readonly at: number;
  readonly units: number;
}

/**
 * What happened in the last `lengthMs` milliseconds: a queue of batches, oldest first, and their sum.
 *
 * A batch is one moment and a count: everything that fell into the same step, dated with the last of it.
 * It leaves as a whole, `lengthMs` after that moment, so that nothing is forgotten early, and nothing is
 * kept longer than one step too long. Every operation that a decision makes is O(1), amortised.
 *
 * The youngest batch stands outside of the ring until the next one begins, so that a subject of one burst needs no
 * ring at all. A ring takes 8 bytes a batch: the moment modulo 2^32 ms, which is 49 days, and the count. It shrinks
 * as it empties.
 */
export class SlidingWindow {
  readonly #lengthMs: number;
  readonly #stepMs: number;
  #account: MemoryAccount;
  /** Two numbers for each batch but the youngest; its length is a power of two. */
  #ring = NO_RING;
  /** Where the oldest batch is in the ring, and how many numbers are in use from there on. */
  #head = 0;
  #used = 0;
  #youngestAt = 0;
  #youngestUnits = 0;
  #total = 0;

  constructor(lengthMs: number, stepMs: number, account: MemoryAccount = UNCOUNTED) {
    this.#lengthMs = lengthMs;
    this.#stepMs = stepMs;
    this.#account = account;
  }

  get lengthMs(): number {
    return this.#lengthMs;
  }

  /** How much is in the window; right as of the last {@link SlidingWindow.expire}. */
  get total(): number {
    return this.#total;
  }

  /** The moment of the last batch; 0 if there was none. */
  get youngestAt(): number {
    return this.#youngestAt;
  }

  /** How much leaves the window next. */
  get oldestUnits(): number {
    return this.#used > 0 ? (this.#ring[this.#head + 1] ?? 0) : this.#youngestUnits;
  }

  /** Bytes of the ring, as they stand in the account. */
  get bytes(): number {
    return bytesOf(this.#ring);
  }

  /** Lets go of what is `lengthMs` old or older. */
  expire(now: number): void {
    if (this.#total === 0) return;
    const gone = now - this.#lengthMs;
    if (this.#youngestAt <= gone) {
      this.clear();
      return;
    }
    if (this.#used === 0 || this.#momentAt(this.#head) > gone) return;
    do this.#dropHead();
    while (this.#used > 0 && this.#momentAt(this.#head) <= gone);
    if (this.#used * 8 <= this.#ring.length && this.#ring.length >= SHRINKS_FROM * 2) {
      this.#resize(this.#ring.length / 2);
    }
  }

  /** Takes in `count` at the moment `at`, a whole number that is never before the one of the last call. */
  add(at: number, count: number): void {
    const together = this.#youngestUnits + count;
    this.#total += count;
    if (this.#youngestUnits > 0) {
      if (together <= MAX_BATCH && this.#stepOf(this.#youngestAt) === this.#stepOf(at)) {
        this.#youngestAt = at;
        this.#youngestUnits = together;
        return;
      }
      this.#close();
    }
    this.#youngestAt = at;
    this.#youngestUnits = count;
  }

  /** The moment at which at least `units` of what is in the window now will have left it; 0 if it holds fewer. */
  freeAt(units: number): number {
    let freed = 0;
    for (let i = 0; i < this.#used; i += 2) {
      const place = this.#wrap(this.#head + i);
      freed += this.#ring[place + 1] ?? 0;
      if (freed >= units) return this.#momentAt(place) + this.#lengthMs;
    }
    return this.#total >= units && units > 0 ? this.#youngestAt + this.#lengthMs : 0;
  }

  /** The batches, oldest first. For what is rare: a decision needs none of this. */
  batches(): Batch[] {
    const batches: Batch[] = [];
    for (let i = 0; i < this.#used; i += 2) {
      const place = this.#wrap(this.#head + i);
      batches.push({ at: this.#momentAt(place), units: this.#ring[place + 1] ?? 0 });
    }
    if (this.#youngestUnits > 0) batches.push({ at: this.#youngestAt, units: this.#youngestUnits });
    return batches;
  }

  /** Lets go of the oldest `units`, or of all if there are fewer. */
  dropOldest(units: number): void {
    let left = units;
    while (left > 0 && this.#used > 0) {
      const first = this.#ring[this.#head + 1] ?? 0;
      if (first > left) {
        this.#ring[this.#head + 1] = first - left;
        this.#total -= left;
        return;
      }
      this.#dropHead();
      left -= first;
    }
    if (left >= this.#total) this.clear();
    else {
      this.#youngestUnits -= left;
      this.#total -= left;
    }
  }

  /** Takes the newest `units` out, or all if there are fewer; oldest first. */
  takeNewest(units: number): Batch[] {
    const kept = this.batches();
    const taken: Batch[] = [];
    for (let left = units; left > 0;) {
      const last = kept.pop();
      if (last === undefined) break;
      const out = Math.min(left, last.units);
      taken.unshift({ at: last.at, units: out });
      if (out < last.units) kept.push({ at: last.at, units: last.units - out });
      left -= out;
    }
    this.#replace(kept);
    return taken;
  }

  /** Takes in batches of any moments. */
  merge(batches: readonly Batch[]): void {
    if (batches.length > 0) this.#replace([...this.batches(), ...batches].sort((a, b) => a.at - b.at));
  }

  /** Makes do with at most `most` batches: what is put together leaves with the last of it, so never early. */
  coarsen(most: number): void {
    const batches = this.batches();
    if (batches.length <= most) return;
    const each = Math.ceil(batches.length / most);
    const coarse: Batch[] = [];
    for (let i = 0; i < batches.length; i += each) {
      const together = batches.slice(i, i + each);
      const units = together.reduce((sum, batch) => sum + batch.units, 0);
      coarse.push({ at: together.at(-1)?.at ?? 0, units });
    }
    this.#replace(coarse);
  }

  clear(): void {
    this.#head = 0;
    this.#used = 0;
    this.#youngestUnits = 0;
    this.#total = 0;
    if (this.#ring !== NO_RING) this.#setRing(NO_RING);
  }

  /** Takes its bytes out of the account, for good. */
  leaveAccount(): void {
    this.#account.bytes -= this.bytes;
    this.#account = { bytes: 0 };
  }

  #replace(batches: readonly Batch[]): void {
    this.clear();
    // Each stays a batch of its own, whatever steps they fall into: they leave as they did before.
    for (const { at, units } of batches) {
      if (this.#youngestUnits > 0) this.#close();
      this.#youngestAt = at;
      this.#youngestUnits = units;
      this.#total += units;
    }
  }

  #dropHead(): void {
    this.#total -= this.#ring[this.#head + 1] ?? 0;
    this.#head = this.#wrap(this.#head + 2);
    this.#used -= 2;
  }

  /** Puts the youngest batch into the ring. */
  #close(): void {
    if (this.#used === this.#ring.length) this.#resize(Math.max(FIRST_CAPACITY * 2, this.#ring.length * 2));
    const place = this.#wrap(this.#head + this.#used);
    // A typed array keeps what is left modulo 2^32.
    this.#ring[place] = this.#youngestAt;
    this.#ring[place + 1] = this.#youngestUnits;
    this.#used += 2;
  }

  #momentAt(place: number): number {
    return this.#youngestAt - ((this.#youngestAt - (this.#ring[place] ?? 0)) >>> 0);
  }

  #wrap(place: number): number {
    return place & (this.#ring.length - 1);
  }

  #stepOf(moment: number): number {
    return Math.floor(moment / this.#stepMs);
  }

  #resize(length: number): void {
    const ring = new Uint32Array(length);
    const first = Math.min(this.#used, this.#ring.length - this.#head);
    ring.set(this.#ring.subarray(this.#head, this.#head + first));
    ring.set(this.#ring.subarray(0, this.#used - first), first);
    this.#head = 0;
    this.#setRing(ring);
  }

  #setRing(ring: Uint32Array<ArrayBuffer>): void {
    this.#account.bytes += bytesOf(ring) - bytesOf(this.#ring);
    this.#ring = ring;
  }
}

function bytesOf(ring: Uint32Array): number {
  return ring.length === 0 ? 0 : ring.byteLength + RING_OVERHEAD_BYTES;
}
