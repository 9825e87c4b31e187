import { Module } from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { ObservabilityModule } from '@petstore/observability/nest';
import { ConnectionTelemetry } from './connection-telemetry.js';
import { VERSION } from './version.js';

const observability = ObservabilityModule.forRootAsync({
  inject: [CONFIGURATION],
  useFactory: ({ traceEndpoint: endpoint, serviceName }: Configuration) => ({
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
