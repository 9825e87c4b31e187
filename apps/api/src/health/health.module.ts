import { Module } from '@nestjs/common';
import { GracefulShutdown, LoadShedder } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import { DatabaseHealth } from '@petstore/persistence';
import { KeyEventMetrics } from '../access/key-event-metrics.js';
import { KeysModule } from '../access/keys.module.js';
import { LimiterMetrics } from '../access/limiter-metrics.js';
import { LimitsModule } from '../access/limits.module.js';
import { HttpModule } from '../http/http.module.js';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { HealthController } from './health.controller.js';
import { PublicReadiness } from './public-readiness.js';
import { Readiness, READINESS_PARTS, type ReadinessParts } from './readiness.js';

/** The health checks of those who run the service. */
@Module({
  imports: [StorageModule, KeysModule, LimitsModule, HttpModule],
  controllers: [HealthController],
  providers: [
    {
      provide: READINESS_PARTS,
      inject: [DatabaseHealth, LimiterMetrics, KeyEventMetrics, GracefulShutdown, LoadShedder, LOG],
      useFactory: (
        database: DatabaseHealth,
        limiter: LimiterMetrics,
        keyEvents: KeyEventMetrics,
        shutdown: GracefulShutdown,
        shedder: LoadShedder,
        log: Log,
      ): ReadinessParts => ({
        database: () => database.check(),
        isLimiterDegraded: () => limiter.isDegraded,
        areKeyEventsMissing: () => keyEvents.areMissing,
        isStopping: () => shutdown.isStopping,
        isStalled: () => shedder.isStalled,
        changed: ({ status, reasons }: ReadinessReport) => {
          log[status === 'ok' ? 'info' : 'warn']({ status, reasons }, 'readiness changed');
        },
      }),
    },
    Readiness,
    {
      provide: PublicReadiness,
      inject: [Readiness, READINESS_PARTS],
      useFactory: (readiness: Readiness, { isStopping }: ReadinessParts) =>
        new PublicReadiness(readiness.check, isStopping),
    },
  ],
  exports: [Readiness],
})
export class HealthModule {}
