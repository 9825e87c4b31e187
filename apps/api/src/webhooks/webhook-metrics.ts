import { Injectable } from '@nestjs/common';
import { Counter, Telemetry } from '@petstore/observability';
import { DeliveryQueueStore, MAX_BACKLOG } from '@petstore/persistence';
import { DELIVERY_OUTCOMES, type DelivererParts, FAILING_AFTER_MINUTES } from '@petstore/webhook';
import { BackgroundReading } from '../observability/background-reading.js';

/** What becomes of deliveries, how many wait, and which endpoints fail. */
@Injectable()
export class WebhookMetrics {
  private readonly deliveries: Counter<'outcome'>;

  constructor({ registry }: Telemetry, queue: DeliveryQueueStore) {
    this.deliveries = new Counter({
      name: 'petstore_webhook_deliveries_total',
      help: 'Deliveries of webhooks by what has become of them; retried: an attempt has failed, another one follows.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of DELIVERY_OUTCOMES) this.deliveries.inc({ outcome }, 0);
    // Every process says the same, of one database.
    const backlog = new BackgroundReading(() => queue.backlog());
    backlog.gauge(
      registry,
      'petstore_webhook_due',
      `Deliveries of webhooks that are due and not under way, ${MAX_BACKLOG} at the most.`,
      ({ due }) => due,
    );
    backlog.gauge(
      registry,
      'petstore_webhook_endpoints_failing',
      `Enabled endpoints whose attempts have all failed for more than ${FAILING_AFTER_MINUTES} minutes.`,
      ({ failingEndpoints }) => failingEndpoints,
    );
    backlog.gauge(
      registry,
      'petstore_webhook_oldest_pending_seconds',
      'Age of the oldest delivery to an enabled endpoint that is neither delivered nor given up; 0 when there is none.',
      ({ oldestSeconds }) => oldestSeconds,
    );
  }

  /** Counts what was written down; can be handed over as it is. */
  readonly observe: DelivererParts['observe'] = (outcome, count) => {
    this.deliveries.inc({ outcome }, count);
  };
}
