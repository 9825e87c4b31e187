/** So many numbers of batches that have left are kept at most. */
const CUT_NUMBERS = 32;

const TOLD_BATCHES = 20;

/**
 * The requests of one window, counted in batches: those that came within one of its steps. A batch leaves when its last
 * request is as old as the window is long. Moments are whole microseconds, and never go back.
 *
 * `lua/charge.lua` counts in the same way.
 */
export class SlidingWindow {
  /** Requests in all batches. */
  sum = 0;
  /** Requests of the youngest batch. */
  private youngest = 0;
  /** Moments of the last request of the youngest and of the oldest batch. */
  private newest = 0;
  private oldest = 0;
  /** All batches but the youngest, from `head` on: moment of the last request, requests, and so on. */
  private batches: number[] = [];
  private head = 0;
  private readonly step: number;

  constructor(
    private readonly length: number,
    steps: number,
  ) {
    this.step = length / steps;
  }

  /** Numbers that are kept for batches. */
  get size(): number {
    return this.batches.length;
  }

  /** Removes what has left the window. Returns whether there was anything. */
  expire(at: number): boolean {
    const horizon = at - this.length;
    if (this.sum === 0 || this.oldest > horizon) return false;
    if (this.newest <= horizon) {
      this.clear();
      return true;
    }
    const { batches } = this;
    while (this.head < batches.length && momentAt(batches, this.head) <= horizon) {
      this.sum -= unitsAt(batches, this.head);
      this.head += 2;
    }
    this.oldest = this.head < batches.length ? momentAt(batches, this.head) : this.newest;
    if (this.head >= CUT_NUMBERS) {
      batches.splice(0, this.head);
      this.head = 0;
    }
    return true;
  }

  add(at: number, units: number): void {
    if (this.youngest > 0 && Math.floor(this.newest / this.step) !== Math.floor(at / this.step)) {
      this.batches.push(this.newest, this.youngest);
      this.youngest = 0;
    }
    // Without another batch, the youngest is the oldest.
    if (this.sum === this.youngest) this.oldest = at;
    this.newest = at;
    this.youngest += units;
    this.sum += units;
  }

  /** Milliseconds until there is room for one more; when there is more than the limit, for a first one. */
  resetMs(limit: number, at: number): number {
    if (this.sum === 0) return 0;
    let leaves = this.oldest;
    let excess = this.sum - limit;
    if (excess > 0) {
      leaves = this.newest;
      for (let i = this.head; i < this.batches.length && excess >= 0; i += 2) {
        excess -= unitsAt(this.batches, i);
        if (excess < 0) leaves = momentAt(this.batches, i);
      }
    }
    return Math.ceil((leaves + this.length - at) / 1000);
  }

  /**
   * All requests but the last `skip` as `age:requests,age:requests`, the youngest first, the ages being those at `at`. Many
   * batches are told of as some twenty, each as young as its youngest request.
   */
  tell(at: number, skip: number): string {
    const { batches, head } = this;
    const together = Math.ceil((batches.length - head) / 2 / TOLD_BATCHES);
    const told: { moment: number; units: number }[] = [];
    let toSkip = skip;
    for (let i = batches.length, seen = 0; i >= head; i -= 2, seen++) {
      const isYoungest = i === batches.length;
      const all = isYoungest ? this.youngest : unitsAt(batches, i);
      const units = Math.max(0, all - toSkip);
      toSkip -= all - units;
      const last = told.at(-1);
      if (last && seen % together !== 0) last.units += units;
      else told.push({ moment: isYoungest ? this.newest : momentAt(batches, i), units });
    }
    return told.map(({ moment, units }) => `${at - moment}:${units}`).join(',');
  }

  clear(): void {
    this.sum = 0;
    this.youngest = 0;
    this.head = 0;
    if (this.batches.length > 0) this.batches = [];
  }
}

function momentAt(batches: readonly number[], index: number): number {
  return batches[index] ?? 0;
}

function unitsAt(batches: readonly number[], index: number): number {
  return batches[index + 1] ?? 0;
}
