import { Injectable } from '@nestjs/common';
import { Telemetry } from '@petstore/observability';
import { MAX_BACKLOG, OutboxStore } from '@petstore/persistence';
import { BackgroundReading } from '../observability/background-reading.js';

/** How far sequencing is behind. Every process says the same, of one database. */
@Injectable()
export class EventMetrics {
  constructor({ registry }: Telemetry, store: OutboxStore) {
    const backlog = new BackgroundReading(() => store.backlog());
    backlog.gauge(
      registry,
      'petstore_outbox_rows',
      `Events that have no place in the feed yet, ${MAX_BACKLOG} at the most.`,
      ({ rows }) => rows,
    );
    backlog.gauge(
      registry,
      'petstore_event_lag_seconds',
      'Age of the oldest event that has no place in the feed yet; 0 when there is none.',
      ({ oldestSeconds }) => oldestSeconds,
    );
  }
}
