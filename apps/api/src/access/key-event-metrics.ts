import { Injectable } from '@nestjs/common';
import { Gauge, Telemetry } from '@petstore/observability';

/** Whether this process gets the events of changed keys. */
@Injectable()
export class KeyEventMetrics {
  private unavailable = false;

  constructor({ registry }: Telemetry) {
    const missing = (): number => (this.unavailable ? 1 : 0);
    new Gauge({
      name: 'petstore_key_events_missing',
      help: '1 while no events of changed keys arrive, so that changes take seconds to take effect.',
      aggregator: 'max',
      registers: [registry],
      collect() {
        this.set(missing());
      },
    });
  }

  /** Whether events do not arrive. */
  get areMissing(): boolean {
    return this.unavailable;
  }

  subscribed(): void {
    this.unavailable = false;
  }

  unsubscribed(): void {
    this.unavailable = true;
  }
}
