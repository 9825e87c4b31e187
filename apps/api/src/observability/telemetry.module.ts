import { readFileSync } from 'node:fs';
import { Inject, Injectable, Module } from '@nestjs/common';
import type { DropReason } from '@petstore/http-server';
import { Telemetry } from '@petstore/observability';
import { ObservabilityModule } from '@petstore/observability/nest';
import { type Log, LOG } from '../logging/log.js';
import { TELEMETRY_SETTINGS, type TelemetrySettings } from './telemetry.settings.js';

/** Version of the service: of its package, of the document, of build information and of traces. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

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

const observability = ObservabilityModule.forRootAsync({
  inject: [TELEMETRY_SETTINGS.KEY],
  useFactory: ({ traceEndpoint: endpoint, serviceName }: TelemetrySettings) => ({
    tracing: endpoint === undefined ? undefined : { endpoint, serviceName, version: VERSION },
  }),
});

/** Metrics, spans, and what is recorded of connections. */
@Module({
  imports: [observability],
  providers: [ConnectionTelemetry],
  exports: [observability, ConnectionTelemetry],
})
export class TelemetryModule {}
