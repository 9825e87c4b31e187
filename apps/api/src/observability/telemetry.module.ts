import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { Inject, Injectable, Module } from '@nestjs/common';
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

/** Counts connections, and logs at most one line a second about those that were not taken. */
@Injectable()
export class ConnectionTelemetry {
  /** Connections that were not taken since the last line. */
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOG) private readonly log: Log,
    @Inject(Telemetry) private readonly telemetry: Telemetry,
  ) {}

  /** Counts the connections of a server. It drops those beyond its `maxConnections`. */
  watch(server: Server): void {
    const { connections } = this.telemetry;
    server.on('connection', (socket) => {
      connections.opened();
      socket.once('close', () => {
        connections.closed();
      });
    });
    server.on('drop', () => {
      connections.dropped();
      this.dropped++;
      this.timer ??= setTimeout(this.writeLine, LOG_INTERVAL_MS).unref();
    });
  }

  private readonly writeLine = (): void => {
    this.log.warn({ dropped: this.dropped }, 'connections dropped');
    this.dropped = 0;
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
