/** Number of batches, or a few more, that a window is written as. */
const SPELLED_BATCHES = 20;

/**
 * The requests of one window, counted in batches: those that came within one of its steps. A batch leaves when its last
 * request is as old as the window is long. Moments are whole microseconds, and never go back.
 *
 * `lua/charge.lua` counts in the same way.
 */
export class SlidingWindow {
  /** Requests in all batches. */
  sum = 0;
  /** Oldest first: moment of its last request, requests, and so on. Objects would take several times the memory. */
  private batches: number[] = [];
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
    let gone = 0;
    while (gone < this.batches.length && this.momentAt(gone) <= horizon) {
      this.sum -= this.unitsAt(gone);
      gone += 2;
    }
    if (gone === 0) return false;
    // A copy is as small as what is left.
    this.batches = this.batches.slice(gone);
    return true;
  }

  add(at: number, units: number): void {
    const youngest = this.batches.length - 2;
    if (youngest < 0) this.batches = [at, units];
    else if (Math.floor(this.momentAt(youngest) / this.step) === Math.floor(at / this.step)) {
      this.batches[youngest] = at;
      this.batches[youngest + 1] = this.unitsAt(youngest) + units;
    } else this.batches.push(at, units);
    this.sum += units;
  }

  /** Milliseconds until there is room for one more; when there is more than the limit, for a first one. */
  resetMs(limit: number, at: number): number {
    if (this.sum === 0) return 0;
    let excess = Math.max(0, this.sum - limit);
    let leaving = 0;
    for (let i = 0; i < this.batches.length && excess >= 0; i += 2) {
      excess -= this.unitsAt(i);
      leaving = i;
    }
    return Math.ceil((this.momentAt(leaving) + this.length - at) / 1000);
  }

  /**
   * All requests but the last `skip` as `age:requests,age:requests`, the youngest first, the ages being those at `at`. Many
   * batches are spelled as some twenty, each as young as its youngest request.
   */
  spell(at: number, skip: number): string {
    const together = Math.ceil(this.size / 2 / SPELLED_BATCHES) * 2;
    const spelled: string[] = [];
    let toSkip = skip;
    for (let end = this.size; end > 0; end -= together) {
      let units = 0;
      for (let i = end - 2; i >= Math.max(0, end - together); i -= 2) units += this.unitsAt(i);
      spelled.push(`${at - this.momentAt(end - 2)}:${Math.max(0, units - toSkip)}`);
      toSkip = Math.max(0, toSkip - units);
    }
    return spelled.join(',') || '0:0';
  }

  clear(): void {
    this.sum = 0;
    this.batches = [];
  }

  private momentAt(index: number): number {
    return this.batches[index] ?? 0;
  }

  private unitsAt(index: number): number {
    return this.batches[index + 1] ?? 0;
  }
}
