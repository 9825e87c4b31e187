import { Inject, Injectable } from '@nestjs/common';
import type { DropReason } from '@petstore/http-server';
import { Telemetry } from '@petstore/observability';
import { type Log, LOG } from '../logging/log.js';

/** Milliseconds between two lines of the log. */
const LOG_INTERVAL_MS = 1_000;

/** Counts connections that were dropped, and logs at most one line a second about them. */
@Injectable()
export class ConnectionTelemetry {
  private since: Partial<Record<DropReason, number>> = {};
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOG) private readonly log: Log,
    @Inject(Telemetry) private readonly telemetry: Telemetry,
  ) {}

  readonly dropped = (reason: DropReason): void => {
    this.telemetry.connections.dropped(reason);
    this.since[reason] = (this.since[reason] ?? 0) + 1;
    this.timer ??= setTimeout(this.writeLine, LOG_INTERVAL_MS).unref();
  };

  private readonly writeLine = (): void => {
    this.log.warn({ dropped: this.since }, 'connections dropped');
    this.since = {};
    this.timer = undefined;
  };
}
