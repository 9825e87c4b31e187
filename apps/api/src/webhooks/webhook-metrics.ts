import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Telemetry } from '@petstore/observability';
import { DeliveryQueueStore } from '@petstore/persistence';
import { DELIVERY_OUTCOMES, type DeliveryObserver } from '@petstore/webhook';
import { BackgroundReading } from '../observability/background-reading.js';

/** What becomes of deliveries, and how many wait. */
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
    const due = new BackgroundReading(0, () => queue.due());
    new Gauge({
      name: 'petstore_webhook_due',
      help: 'Deliveries of webhooks that are due and not under way, 100000 at the most.',
      // Every process says the same, of one database.
      registers: [registry],
      async collect() {
        this.set(await due.read());
      },
    });
  }

  /** Counts what was written down; can be handed over as it is. */
  readonly observe: DeliveryObserver = (outcome, count) => {
    this.deliveries.inc({ outcome }, count);
  };
}
