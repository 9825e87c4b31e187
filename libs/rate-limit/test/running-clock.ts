/** How often the clock is looked at, and most that counts between two looks, in milliseconds. */
const TICK_MS = 10;
const SLICE_MS = 50;

/** Measures the time in which this process runs, as the limiter does: a longer pause is the machine's, not the limiter's. */
export class RunningClock {
  private elapsedMs = 0;
  private since = performance.now();
  private readonly timer = setInterval(() => this.now(), TICK_MS);

  /** Milliseconds since this clock was made. */
  now(): number {
    const now = performance.now();
    this.elapsedMs += Math.min(now - this.since, SLICE_MS);
    this.since = now;
    return this.elapsedMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
