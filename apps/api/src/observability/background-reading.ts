import { setTimeout as sleep } from 'node:timers/promises';

/** Longest that a reading waits; then it gets the last known value. */
const TIMEOUT_MS = 250;

/**
 * A value for the metrics that is queried from the database at each reading, one query at a time. Readings never fail:
 * other metrics show that the database is unavailable.
 */
export class BackgroundReading<Value> {
  private asking: Promise<void> | undefined;

  /** @param last the value before the first query */
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
      // The last value stays.
    }
  }
}
