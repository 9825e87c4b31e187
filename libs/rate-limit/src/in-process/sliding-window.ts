/** Places for batches in a new window; doubled whenever they are full. */
const FIRST_CAPACITY = 4;
/** Most that one batch holds, as in the store on Redis: the two let go of the same at the same moment. */
const MAX_BATCH = 65_535;

/**
 * What happened in the last `lengthMs` milliseconds: a queue of batches, oldest first, and their sum.
 *
 * A batch is one moment and a count: everything that fell into the same step, dated with the last of it.
 * It leaves as a whole, `lengthMs` after that moment, so that nothing is forgotten early, and nothing is
 * kept longer than one step too long. Every operation is O(1), amortised.
 */
export class SlidingWindow {
  readonly #lengthMs: number;
  readonly #stepMs: number;
  /** A ring of batches, two numbers each: moment, count. */
  #ring = new Float64Array(FIRST_CAPACITY * 2);
  /** Where the oldest batch is in the ring, and how many numbers are in use from there on. */
  #head = 0;
  #used = 0;
  #total = 0;

  constructor(lengthMs: number, stepMs: number) {
    this.#lengthMs = lengthMs;
    this.#stepMs = stepMs;
  }

  /** How much is in the window; right as of the last {@link SlidingWindow.expire}. */
  get total(): number {
    return this.#total;
  }

  /** Lets go of what is `lengthMs` old or older. */
  expire(now: number): void {
    const gone = now - this.#lengthMs;
    while (this.#used > 0 && this.#at(this.#head) <= gone) {
      this.#total -= this.#at(this.#head + 1);
      this.#head = this.#wrap(this.#head + 2);
      this.#used -= 2;
    }
  }

  /** Takes in `count` at the moment `at`, which is never before the one of the last call. */
  add(at: number, count: number): void {
    this.#total += count;
    const youngest = this.#wrap(this.#head + this.#used - 2);
    const together = this.#at(youngest + 1) + count;
    if (this.#used > 0 && together <= MAX_BATCH && this.#stepOf(this.#at(youngest)) === this.#stepOf(at)) {
      this.#ring[youngest] = at;
      this.#ring[youngest + 1] = together;
      return;
    }
    if (this.#used === this.#ring.length) this.#grow();
    const next = this.#wrap(this.#head + this.#used);
    this.#ring[next] = at;
    this.#ring[next + 1] = count;
    this.#used += 2;
  }

  /** The moment at which at least `units` of what is in the window now will have left it; 0 if it holds fewer. */
  freeAt(units: number): number {
    let freed = 0;
    for (let i = 0; i < this.#used; i += 2) {
      const batch = this.#wrap(this.#head + i);
      freed += this.#at(batch + 1);
      if (freed >= units) return this.#at(batch) + this.#lengthMs;
    }
    return 0;
  }

  clear(): void {
    this.#head = 0;
    this.#used = 0;
    this.#total = 0;
  }

  #at(place: number): number {
    return this.#ring[place] ?? 0;
  }

  /** The length of the ring is a power of two. */
  #wrap(place: number): number {
    return place & (this.#ring.length - 1);
  }

  #stepOf(moment: number): number {
    return Math.floor(moment / this.#stepMs);
  }

  #grow(): void {
    const ring = new Float64Array(this.#ring.length * 2);
    ring.set(this.#ring.subarray(this.#head));
    ring.set(this.#ring.subarray(0, this.#head), this.#ring.length - this.#head);
    this.#ring = ring;
    this.#head = 0;
  }
}
