import { type BanPolicy, REFUSAL_STEP_MS } from '../policy/ban-policy.js';
import type { MemoryAccount } from '../windows/memory-account.js';
import { SlidingWindow } from '../windows/sliding-window.js';

/** The refusals of one subject that count towards a ban, and its bans. Moments are Unix time in milliseconds. */
export class BanRecord {
  /** When the last ban ends or ended; 0 without one. */
  until = 0;
  /** How many bans there were in a row, the present one included. */
  count = 0;
  /** Made at the first refusal: most subjects never get one. */
  private refusals: SlidingWindow | undefined;

  /** @param repeatMs a ban is a repeat when it begins at most so long after the end of the one before */
  constructor(
    private readonly repeatMs: number,
    private readonly account: MemoryAccount | undefined,
  ) {}

  /**
   * Counts refusals, and bans at the one that makes them enough.
   *
   * @returns how many of them came before the ban: all where there is none
   */
  countRefusals(at: number, refused: number, perMinute: number, policy: BanPolicy): number {
    const enough = Math.max(policy.refusals, perMinute);
    const refusals = (this.refusals ??= new SlidingWindow(policy.withinMs, REFUSAL_STEP_MS, this.account));
    refusals.expire(at);
    const before = refusals.total;
    if (before + refused < enough) {
      refusals.add(Math.ceil(at), refused);
      return refused;
    }
    this.ban(at, policy);
    refusals.clear();
    return Math.max(0, enough - 1 - before);
  }

  /** Follows what Redis decided at the moment `at`. */
  mirror(at: number, banMs: number, bans: number): void {
    // One that ends is remembered for the next; one that was lifted has ended, too.
    this.until = banMs > 0 ? at + banMs : Math.min(this.until, at);
    this.count = bans;
  }

  /** Forgets the ban and all that led to it. */
  lift(): void {
    this.until = 0;
    this.count = 0;
    this.refusals?.clear();
  }

  /** Frees the memory of refusals that count no more; whether there is anything left that does. */
  tidy(at: number): boolean {
    this.refusals?.expire(at);
    return this.canRepeat(at) || (this.refusals?.total ?? 0) > 0;
  }

  leaveAccount(): void {
    this.refusals?.leaveAccount();
  }

  private ban(at: number, { firstMs, factor, longestMs }: BanPolicy): void {
    this.count = this.canRepeat(at) ? this.count + 1 : 1;
    this.until = Math.ceil(at) + Math.min(firstMs * factor ** (this.count - 1), longestMs);
  }

  /** Whether a ban that began now would be a repeat of the last one. */
  private canRepeat(at: number): boolean {
    return this.count > 0 && at <= this.until + this.repeatMs;
  }
}
