import { Module } from '@nestjs/common';
import { ObservabilityModule } from '@petstore/observability/nest';
import { ConnectionTelemetry } from './connection-telemetry.js';
import { TELEMETRY_SETTINGS, type TelemetrySettings } from './telemetry.settings.js';
import { VERSION } from './version.js';

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
