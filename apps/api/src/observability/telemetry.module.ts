import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { Inject, Injectable, Module } from '@nestjs/common';
import { Counter, Gauge, Telemetry } from '@petstore/observability';
import { type Log, LOG } from '../logging/log.js';
import { TELEMETRY_SETTINGS, type TelemetrySettings } from './telemetry.settings.js';

/** Version of the service: of its package, of the document, of build information and of traces. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Milliseconds between two lines of the log. */
const LOG_INTERVAL_MS = 1_000;

/** Counts the connections of the public listener, and logs at most one line a second about those that were not taken. */
@Injectable()
export class ConnectionTelemetry {
  /** Connections that were not taken since the last line. */
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly drops: Counter;
  private readonly open: Gauge;

  constructor(
    @Inject(LOG) private readonly log: Log,
    @Inject(Telemetry) { registry }: Telemetry,
  ) {
    const registers = [registry];
    this.open = new Gauge({
      name: 'petstore_http_connections',
      help: 'Open connections of the public listener.',
      registers,
    });
    this.drops = new Counter({
      name: 'petstore_http_connections_dropped_total',
      help: 'Connections that were not taken, because there are as many as there may be.',
      registers,
    });
  }

  /** Counts the connections of a server. It drops those beyond its `maxConnections`. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.open.inc();
      socket.once('close', () => {
        this.open.dec();
      });
    });
    server.on('drop', () => {
      this.drops.inc();
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

/** Metrics, spans, and what is recorded of connections. */
@Module({
  providers: [
    {
      provide: Telemetry,
      inject: [TELEMETRY_SETTINGS.KEY],
      useFactory: ({ traceEndpoint: endpoint, serviceName }: TelemetrySettings) =>
        Telemetry.start(endpoint === undefined ? undefined : { endpoint, serviceName, version: VERSION }),
    },
    ConnectionTelemetry,
  ],
  exports: [Telemetry, ConnectionTelemetry],
})
export class TelemetryModule {}
