import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Backlog } from '@petstore/event-feed';
import { Gauge, Telemetry } from '@petstore/observability';
import { PostgresSequencingStore } from '@petstore/persistence';

/** Longest that a reading of the metrics waits for the database; what was known before is then told again. */
const PATIENCE_MS = 250;

/** How far sequencing is behind. The database is asked with each reading of the metrics, once at a time. */
@Injectable()
export class EventMetrics {
  private last: Backlog = { rows: 0, oldestSeconds: 0 };
  private asking: Promise<void> | undefined;

  constructor(
    @Inject(Telemetry) { registry }: Pick<Telemetry, 'registry'>,
    @Inject(PostgresSequencingStore) private readonly store: Pick<PostgresSequencingStore, 'backlog'>,
  ) {
    const backlog = (): Promise<Backlog> => this.backlog();
    // Every process says the same, of one database.
    const shared = { aggregator: 'max' as const, registers: [registry] };
    new Gauge({
      ...shared,
      name: 'petstore_outbox_rows',
      help: 'Events that have no place in the feed yet, 100000 at the most.',
      async collect() {
        this.set((await backlog()).rows);
      },
    });
    new Gauge({
      ...shared,
      name: 'petstore_event_lag_seconds',
      help: 'Age of the oldest event that has no place in the feed yet; 0 when there is none.',
      async collect() {
        this.set((await backlog()).oldestSeconds);
      },
    });
  }

  /** Never rejects: that the database is unavailable is told by other metrics. */
  private async backlog(): Promise<Backlog> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    await Promise.race([this.asking, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return this.last;
  }

  private async ask(): Promise<void> {
    try {
      this.last = await this.store.backlog();
    } catch {
      // Nothing new is known.
    }
  }
}
