import { Module } from '@nestjs/common';
import { LimitsModule } from '../access/limits.module.js';
import { HttpModule } from '../http/http.module.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { HealthController } from './health.controller.js';
import { PublicReadiness } from './public-readiness.js';
import { Readiness } from './readiness.js';

/** The health checks of those who run the service. */
@Module({
  imports: [StorageModule, TelemetryModule, LimitsModule, HttpModule],
  controllers: [HealthController],
  providers: [Readiness, PublicReadiness],
  exports: [Readiness],
})
export class HealthModule {}
