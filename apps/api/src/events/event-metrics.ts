import { Injectable } from '@nestjs/common';
import type { Backlog } from '@petstore/event-feed';
import { Gauge, Telemetry } from '@petstore/observability';
import { OutboxStore } from '@petstore/persistence';
import { BackgroundReading } from '../observability/background-reading.js';

/** How far sequencing is behind. */
@Injectable()
export class EventMetrics {
  constructor({ registry }: Telemetry, store: OutboxStore) {
    const backlog = new BackgroundReading<Backlog>({ rows: 0, oldestSeconds: 0 }, () => store.backlog());
    const registers = [registry];
    new Gauge({
      registers,
      name: 'petstore_outbox_rows',
      help: 'Events that have no place in the feed yet, 100000 at the most.',
      async collect() {
        this.set((await backlog.read()).rows);
      },
    });
    new Gauge({
      registers,
      name: 'petstore_event_lag_seconds',
      help: 'Age of the oldest event that has no place in the feed yet; 0 when there is none.',
      async collect() {
        this.set((await backlog.read()).oldestSeconds);
      },
    });
  }
}
