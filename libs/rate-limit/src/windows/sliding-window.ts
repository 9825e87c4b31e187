import { BatchRing } from './batch-ring.js';
import { type MemoryAccount, UNCOUNTED } from './memory-account.js';

/** Most that one batch holds, as in the store on Redis: the two expire the same at the same moment. */
const MAX_BATCH = 65_535;

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
 * ring at all.
 */
export class SlidingWindow {
  /** All batches but the youngest; `undefined` when there is none. */
  private ring: BatchRing | undefined;
  private latestAt = 0;
  private latestUnits = 0;
  private sum = 0;

  /** @param stepMs admissions of the same step make one batch */
  constructor(
    readonly lengthMs: number,
    private readonly stepMs: number,
    private account: MemoryAccount = UNCOUNTED,
  ) {}

  /** How much is in the window; right as of the last {@link SlidingWindow.expire}. */
  get total(): number {
    return this.sum;
  }

  /** The moment of the last batch; 0 if there was none. */
  get youngestAt(): number {
    return this.latestAt;
  }

  /** How much leaves the window next. */
  get oldestUnits(): number {
    return this.ring === undefined || this.ring.isEmpty ? this.latestUnits : this.ring.unitsAt(0);
  }

  /** Removes what is `lengthMs` old or older. */
  expire(now: number): void {
    if (this.sum === 0) return;
    const expired = now - this.lengthMs;
    if (this.latestAt <= expired) {
      this.clear();
      return;
    }
    const { ring, latestAt } = this;
    if (ring === undefined || ring.isEmpty || ring.momentAt(0, latestAt) > expired) return;
    do this.sum -= ring.shift();
    while (ring.size > 0 && ring.momentAt(0, latestAt) <= expired);
    ring.shrink();
  }

  /** Takes in `count` at the moment `at`, a whole number that is never before the one of the last call. */
  add(at: number, count: number): void {
    const together = this.latestUnits + count;
    this.sum += count;
    if (this.latestUnits > 0) {
      if (together <= MAX_BATCH && this.stepOf(this.latestAt) === this.stepOf(at)) {
        this.latestAt = at;
        this.latestUnits = together;
        return;
      }
      this.closeBatch();
    }
    this.latestAt = at;
    this.latestUnits = count;
  }

  /** The moment at which at least `units` of what is in the window now will have left it; 0 if it holds fewer. */
  freeAt(units: number): number {
    let freed = 0;
    const { ring, latestAt } = this;
    const size = ring?.size ?? 0;
    for (let i = 0; ring !== undefined && i < size; i++) {
      freed += ring.unitsAt(i);
      if (freed >= units) return ring.momentAt(i, latestAt) + this.lengthMs;
    }
    return this.sum >= units && units > 0 ? latestAt + this.lengthMs : 0;
  }

  /** The batches, oldest first. For what is rare: a decision needs none of this. */
  batches(): Batch[] {
    const batches: Batch[] = [];
    const { ring, latestAt, latestUnits } = this;
    const size = ring?.size ?? 0;
    for (let i = 0; ring !== undefined && i < size; i++) {
      batches.push({ at: ring.momentAt(i, latestAt), units: ring.unitsAt(i) });
    }
    if (latestUnits > 0) batches.push({ at: latestAt, units: latestUnits });
    return batches;
  }

  /** Removes the oldest `units`, or all if there are fewer. */
  dropOldest(units: number): void {
    let left = units;
    const { ring } = this;
    while (left > 0 && ring !== undefined && !ring.isEmpty) {
      const first = ring.unitsAt(0);
      if (first > left) {
        ring.reduceOldest(left);
        this.sum -= left;
        return;
      }
      this.sum -= ring.shift();
      left -= first;
    }
    if (left >= this.sum) this.clear();
    else {
      this.latestUnits -= left;
      this.sum -= left;
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
    this.replace(kept);
    return taken;
  }

  /** Takes in batches of any moments. */
  merge(batches: readonly Batch[]): void {
    if (batches.length > 0) this.replace([...this.batches(), ...batches].sort((a, b) => a.at - b.at));
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
    this.replace(coarse);
  }

  clear(): void {
    this.latestUnits = 0;
    this.sum = 0;
    this.ring?.leaveAccount();
    this.ring = undefined;
  }

  /** Takes its bytes out of the account, for good. */
  leaveAccount(): void {
    this.ring?.leaveAccount();
    this.account = { bytes: 0 };
  }

  private replace(batches: readonly Batch[]): void {
    this.clear();
    // Each stays a batch of its own, whatever steps they fall into: they leave as they did before.
    for (const { at, units } of batches) {
      if (this.latestUnits > 0) this.closeBatch();
      this.latestAt = at;
      this.latestUnits = units;
      this.sum += units;
    }
  }

  /** Puts the youngest batch into the ring. */
  private closeBatch(): void {
    this.ring ??= new BatchRing(this.account);
    this.ring.push(this.latestAt, this.latestUnits);
  }

  private stepOf(moment: number): number {
    return Math.floor(moment / this.stepMs);
  }
}
