const FIRST_CAPACITY = 4;

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
  #moments = new Float64Array(FIRST_CAPACITY);
  #counts = new Float64Array(FIRST_CAPACITY);
  #head = 0;
  #size = 0;
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
    const mask = this.#moments.length - 1;
    while (this.#size > 0 && this.#momentAt(this.#head) <= gone) {
      this.#total -= this.#countAt(this.#head);
      this.#head = (this.#head + 1) & mask;
      this.#size--;
    }
  }

  /** Takes in `count` at the moment `at`, which is never before the one of the last call. */
  add(at: number, count: number): void {
    this.#total += count;
    if (this.#size > 0) {
      const youngest = (this.#head + this.#size - 1) & (this.#moments.length - 1);
      if (this.#stepOf(this.#momentAt(youngest)) === this.#stepOf(at)) {
        this.#moments[youngest] = at;
        this.#counts[youngest] = this.#countAt(youngest) + count;
        return;
      }
    }
    if (this.#size === this.#moments.length) this.#grow();
    const next = (this.#head + this.#size) & (this.#moments.length - 1);
    this.#moments[next] = at;
    this.#counts[next] = count;
    this.#size++;
  }

  /** The moment at which at least `units` of what is in the window now will have left it; 0 if it holds fewer. */
  freeAt(units: number): number {
    const mask = this.#moments.length - 1;
    let freed = 0;
    for (let i = 0; i < this.#size; i++) {
      const batch = (this.#head + i) & mask;
      freed += this.#countAt(batch);
      if (freed >= units) return this.#momentAt(batch) + this.#lengthMs;
    }
    return 0;
  }

  clear(): void {
    this.#head = 0;
    this.#size = 0;
    this.#total = 0;
  }

  #momentAt(place: number): number {
    return this.#moments[place] ?? 0;
  }

  #countAt(place: number): number {
    return this.#counts[place] ?? 0;
  }

  #stepOf(moment: number): number {
    return Math.floor(moment / this.#stepMs);
  }

  #grow(): void {
    const { length } = this.#moments;
    const moments = new Float64Array(length * 2);
    const counts = new Float64Array(length * 2);
    moments.set(this.#moments.subarray(this.#head));
    moments.set(this.#moments.subarray(0, this.#head), length - this.#head);
    counts.set(this.#counts.subarray(this.#head));
    counts.set(this.#counts.subarray(0, this.#head), length - this.#head);
    this.#moments = moments;
    this.#counts = counts;
    this.#head = 0;
  }
}
