/** Longest step of a {@link RunningTimeout}, in milliseconds. */
const STEP_MS = 100;

/**
 * A timeout that counts only time in which this process runs, so that a process that was blocked, suspended or starved
 * does not take its own pause for the silence of a server: each step counts as long as it should have taken, however
 * late its timer is. What came in meanwhile is read before the timeout expires.
 */
export class RunningTimeout {
  private timer: NodeJS.Timeout | undefined;
  private check: NodeJS.Immediate | undefined;

  constructor(
    private leftMs: number,
    private readonly onExpired: () => void,
  ) {
    this.step();
  }

  cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.check);
  }

  private step(): void {
    const ms = Math.min(this.leftMs, STEP_MS);
    this.timer = setTimeout(() => {
      this.leftMs -= ms;
      if (this.leftMs > 0) this.step();
      // Timers come before sockets are read: the response may be there.
      else this.check = setImmediate(this.onExpired);
    }, ms);
  }
}
