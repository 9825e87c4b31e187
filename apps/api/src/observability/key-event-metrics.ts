import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyEventBusObserver } from '@petstore/api-key';
import { Gauge, Telemetry } from '@petstore/observability';
import { type Log, LOG } from '../logging/log.js';

/**
 * Whether this process gets the events of changed keys: in metrics, and in the log when Redis refuses them. That Redis is
 * unavailable is logged by the limiter.
 */
@Injectable()
export class KeyEventMetrics implements ApiKeyEventBusObserver {
  private unavailable = false;
  private refused = false;

  constructor(
    { registry }: Telemetry,
    @Inject(LOG) private readonly log: Log,
  ) {
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
    if (this.refused) this.log.info('redis accepts key events again');
    this.refused = false;
  }

  unsubscribed({ refused, reason }: { readonly refused: boolean; readonly reason: string }): void {
    this.unavailable = true;
    if (!refused || this.refused) return;
    this.refused = true;
    this.log.error({ reason }, 'redis refuses key events, key changes take up to 10 s');
  }
}
