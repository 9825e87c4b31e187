import { Inject, Module } from '@nestjs/common';
import { ManagementServer, Telemetry, watchProcess } from '@petstore/observability';
import { Database, diskFullErrors, Scheduler, UnitOfWork } from '@petstore/persistence';
import { LimitsModule } from '../access/access.module.js';
import { HttpModule } from '../http/http.module.js';
import { droppedLogLines } from '../logging/log.js';
import { TelemetryModule, VERSION } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { HealthController } from './health.controller.js';
import { MANAGEMENT_SETTINGS, type ManagementSettings } from './management.settings.js';
import { Readiness } from './readiness.js';

/** The health checks of those who run the service. */
@Module({
  imports: [StorageModule, TelemetryModule, LimitsModule, HttpModule],
  controllers: [HealthController],
  providers: [Readiness],
  exports: [Readiness],
})
export class HealthModule {}

/** The management listener, which opens before the public one and closes after it, and the metrics that it shows. */
@Module({
  imports: [TelemetryModule, HealthModule, StorageModule],
  providers: [
    {
      provide: ManagementServer,
      inject: [MANAGEMENT_SETTINGS.KEY, Telemetry, Readiness],
      useFactory: (
        { opsHost: host, opsPort: port }: ManagementSettings,
        { registry }: Telemetry,
        { check: readiness }: Readiness,
      ) =>
        new ManagementServer({
          listen: port !== undefined ? { host, port } : undefined,
          metrics: () => registry.metrics(),
          readiness,
        }),
    },
  ],
})
export class ManagementListenerModule {
  constructor(
    @Inject(MANAGEMENT_SETTINGS.KEY) { opsPort }: ManagementSettings,
    { registry }: Telemetry,
    database: Database,
    unitOfWork: UnitOfWork,
    scheduler: Scheduler,
    readiness: Readiness,
  ) {
    // Each garbage collection costs more with them: only where they are read.
    if (opsPort === undefined) return;
    watchProcess(registry, {
      version: VERSION,
      pool: () => {
        const { total, idle, waiting } = database.poolStats();
        return { total, idle, waiting: waiting + unitOfWork.waiting };
      },
      replica: () => database.replica,
      jobs: () => scheduler.runs(),
      droppedLogLines,
      diskFullErrors,
      isReady: async () => (await readiness.check()).status !== 'unavailable',
    });
  }
}
