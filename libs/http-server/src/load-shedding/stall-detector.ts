/** After so many milliseconds in which requests were refused and none was admitted, the process has stalled. */
const STALLED_MS = 10_000;

/** Notices that a process refuses every request, so that others should be sent them. */
export class StallDetector {
  /** Since when requests have been refused without one being admitted. */
  private refusingSince: number | undefined;

  /** @param now milliseconds on a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  admitted(): void {
    this.refusingSince = undefined;
  }

  refused(): void {
    this.refusingSince ??= this.now();
  }

  /** Whether requests have been refused for 10 s and none was admitted. */
  get isStalled(): boolean {
    return this.refusingSince !== undefined && this.now() - this.refusingSince >= STALLED_MS;
  }
}
