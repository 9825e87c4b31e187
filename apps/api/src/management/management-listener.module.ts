import { Inject, Module } from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { Telemetry, watchProcess } from '@petstore/observability';
import { ManagementModule } from '@petstore/observability/nest';
import { Database } from '@petstore/persistence';
import { HealthModule } from '../health/health.module.js';
import { Readiness } from '../health/readiness.js';
import { droppedLogLines } from '../logging/log.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { VERSION } from '../observability/version.js';
import { StorageModule } from '../storage/storage.module.js';
import { OPENS_MANAGEMENT_LISTENER } from '../options/options.module.js';

const management = ManagementModule.forRootAsync({
  imports: [TelemetryModule, HealthModule],
  inject: [CONFIGURATION, OPENS_MANAGEMENT_LISTENER, Telemetry, Readiness],
  useFactory: (
    { opsHost: host, opsPort: port }: Configuration,
    opens: boolean,
    { registry }: Telemetry,
    { check: readiness }: Readiness,
  ) => ({
    listen: opens && port !== undefined ? { host, port } : undefined,
    metrics: () => registry.metrics(),
    readiness,
  }),
});

/** The management listener, and the metrics of the process that it shows. */
@Module({ imports: [management, TelemetryModule, HealthModule, StorageModule] })
export class ManagementListenerModule {
  constructor(
    @Inject(CONFIGURATION) { opsPort }: Configuration,
    { registry }: Telemetry,
    database: Database,
    readiness: Readiness,
  ) {
    // Collecting them costs something with each garbage collection: only where they are read.
    if (opsPort === undefined) return;
    watchProcess(registry, {
      version: VERSION,
      pool: () => database.poolStats(),
      replica: () => database.replica,
      droppedLogLines,
      isReady: async () => (await readiness.check()).status !== 'unavailable',
    });
  }
}
