import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Telemetry } from '@petstore/observability';
import { PostgresSequencingStore } from '@petstore/persistence';

/** How far sequencing is behind; the database is asked with each reading of the metrics. */
@Injectable()
export class EventMetrics {
  constructor(
    @Inject(Telemetry) { registry }: Pick<Telemetry, 'registry'>,
    @Inject(PostgresSequencingStore) store: Pick<PostgresSequencingStore, 'backlog'>,
  ) {
    const registers = [registry];
    // Every process says the same, of one database.
    const aggregator = 'max';
    const rows = new Gauge({
      name: 'petstore_outbox_rows',
      help: 'Events that have no place in the feed yet, 100000 at the most.',
      aggregator,
      registers,
    });
    new Gauge({
      name: 'petstore_event_lag_seconds',
      help: 'Age of the oldest event that has no place in the feed yet; 0 when there is none.',
      aggregator,
      registers,
      async collect() {
        try {
          const backlog = await store.backlog();
          rows.set(backlog.rows);
          this.set(backlog.oldestSeconds);
        } catch {
          // The database is unavailable, which other metrics say; nothing new is known.
        }
      },
    });
  }
}
