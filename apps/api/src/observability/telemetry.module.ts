import { Module } from '@nestjs/common';
import type { Configuration } from '@petstore/configuration';
import { CONFIGURATION } from '@petstore/configuration/nest';
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
