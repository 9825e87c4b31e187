import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyEventBusObserver } from '@petstore/api-key';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { KeyEventMetrics } from './key-event-metrics.js';

/** Notes whether news of keys arrive. That Redis is away is told by the limiter; here is told what it refuses. */
@Injectable()
export class KeyEventWatch implements ApiKeyEventBusObserver {
  private refused = false;

  constructor(
    @Inject(LOG) private readonly log: Log,
    @Inject(KeyEventMetrics) private readonly metrics: KeyEventMetrics,
  ) {}

  subscribed(): void {
    this.metrics.subscribed();
    if (this.refused) this.log.info('Redis lets key events through again');
    this.refused = false;
  }

  unsubscribed({ refused, reason }: { readonly refused: boolean; readonly reason: string }): void {
    this.metrics.unsubscribed();
    if (!refused || this.refused) return;
    this.refused = true;
    this.log.error({ reason }, 'Redis refuses key events: changes of keys take up to 10 s to take effect');
  }
}
