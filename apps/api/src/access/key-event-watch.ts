import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyEventBusObserver } from '@petstore/api-key';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { KeyEventMetrics } from './key-event-metrics.js';

/** Records whether key events arrive. The limiter reports that Redis is unavailable; this reports what Redis refuses. */
@Injectable()
export class KeyEventWatch implements ApiKeyEventBusObserver {
  private refused = false;

  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly metrics: KeyEventMetrics,
  ) {}

  subscribed(): void {
    this.metrics.subscribed();
    if (this.refused) this.log.info('redis accepts key events again');
    this.refused = false;
  }

  unsubscribed({ refused, reason }: { readonly refused: boolean; readonly reason: string }): void {
    this.metrics.unsubscribed();
    if (!refused || this.refused) return;
    this.refused = true;
    this.log.error({ reason }, 'redis refuses key events, key changes take up to 10 s');
  }
}
