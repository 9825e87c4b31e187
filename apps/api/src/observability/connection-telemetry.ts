import type { DropReason } from '@petstore/http-server';
import type { ConnectionMetrics } from '@petstore/observability';
import type { Log } from '../logging/log.js';

/** Milliseconds between two lines of the log. */
const LOG_INTERVAL_MS = 1_000;

/** Counts connections that were dropped, and logs at most one line a second about them. */
export class ConnectionTelemetry {
  private since: Partial<Record<DropReason, number>> = {};
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly metrics: ConnectionMetrics,
  ) {}

  readonly dropped = (reason: DropReason): void => {
    this.metrics.dropped(reason);
    this.since[reason] = (this.since[reason] ?? 0) + 1;
    this.timer ??= setTimeout(this.writeLine, LOG_INTERVAL_MS).unref();
  };

  private readonly writeLine = (): void => {
    this.log.warn({ dropped: this.since }, 'connections dropped');
    this.since = {};
    this.timer = undefined;
  };
}
