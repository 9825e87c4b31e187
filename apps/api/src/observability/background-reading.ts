import { setTimeout as sleep } from 'node:timers/promises';

/** Longest that a reading of the metrics waits; what was known before is then told again. */
const TIMEOUT_MS = 250;

/**
 * A value of the database for the metrics: asked for with each reading, once at a time. Readings never wait for long
 * and never fail: that the database is unavailable is told by other metrics.
 */
export class BackgroundReading<Value> {
  private asking: Promise<void> | undefined;

  /** @param last what is known before it was ever asked for */
  constructor(
    private last: Value,
    private readonly ask: () => Promise<Value>,
  ) {}

  async read(): Promise<Value> {
    this.asking ??= this.refresh().finally(() => (this.asking = undefined));
    await Promise.race([this.asking, sleep(TIMEOUT_MS, undefined, { ref: false })]);
    return this.last;
  }

  private async refresh(): Promise<void> {
    try {
      this.last = await this.ask();
    } catch {
      // Nothing new is known.
    }
  }
}
