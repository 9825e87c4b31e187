import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from '@petstore/observability';

/** Longest that a reading waits; then it gets the last known value. */
const TIMEOUT_MS = 250;

/**
 * A value for the metrics that is queried from the database at each reading, one query at a time. Readings never fail:
 * other metrics show that the database is unavailable. The first one waits for its query, whose time the database limits:
 * right after a start the metrics are what they were.
 */
export class BackgroundReading<Value> {
  private asking: Promise<void> | undefined;
  private last: Value | undefined;

  constructor(private readonly ask: () => Promise<Value>) {}

  /** `undefined` while no query has succeeded. */
  async read(): Promise<Value | undefined> {
    this.asking ??= this.refresh().finally(() => (this.asking = undefined));
    await (this.last === undefined
      ? this.asking
      : Promise.race([this.asking, sleep(TIMEOUT_MS, undefined, { ref: false })]));
    return this.last;
  }

  /** A metric of it, which has no value as long as there is none. */
  gauge(registry: Registry, name: string, help: string, of: (value: Value) => number): void {
    const read = (): Promise<Value | undefined> => this.read();
    new Gauge({
      registers: [registry],
      name,
      help,
      async collect() {
        const value = await read();
        if (value === undefined) this.remove();
        else this.set(of(value));
      },
    });
  }

  private async refresh(): Promise<void> {
    try {
      this.last = await this.ask();
    } catch {
      // The last value stays.
    }
  }
}
