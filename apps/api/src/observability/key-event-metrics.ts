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
  /** Whether events do not arrive. */
  areMissing = false;
  private refused = false;

  constructor(
    { registry }: Telemetry,
    @Inject(LOG) private readonly log: Log,
  ) {
    const missing = new Gauge({
      name: 'petstore_key_events_missing',
      help: '1 while no events of changed keys arrive, so that changes take seconds to take effect.',
      aggregator: 'max',
      registers: [registry],
      collect: () => {
        missing.set(this.areMissing ? 1 : 0);
      },
    });
  }

  subscribed(): void {
    this.areMissing = false;
    if (this.refused) this.log.info('redis accepts key events again');
    this.refused = false;
  }

  unsubscribed({ refused, reason }: { readonly refused: boolean; readonly reason: string }): void {
    this.areMissing = true;
    if (!refused || this.refused) return;
    this.refused = true;
    this.log.error({ reason }, 'redis refuses key events, key changes take up to 10 s');
  }
}
