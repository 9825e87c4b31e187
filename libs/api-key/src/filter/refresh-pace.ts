/**
 * When the next refresh may begin: one in each gap, and after a quiet time several one after the other, for as many
 * gaps as went by unused. Times are elapsed times in milliseconds.
 */
export class RefreshPace {
  /** When the next refresh would begin if none were ever early. */
  private evenly = -Infinity;
  private beganAt = -Infinity;
  private readonly mostEarly: number;

  /** @param burst most refreshes without a gap between them, at least 1 */
  constructor(
    private readonly gap: number,
    burst: number,
  ) {
    this.mostEarly = (burst - 1) * gap;
  }

  /** Milliseconds until a refresh may begin; not positive when one may at once. */
  pause(now: number): number {
    return this.evenly - this.mostEarly - now;
  }

  /** A refresh begins. */
  begin(now: number): void {
    this.beganAt = now;
    this.evenly = Math.max(this.evenly, now) + this.gap;
  }

  /** A store in trouble is spared: when the refresh that began last has failed, nothing unused is left. */
  fail(): void {
    this.evenly = Math.max(this.evenly, this.beganAt + this.mostEarly + this.gap);
  }
}
