import { Module } from '@nestjs/common';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { Delivering } from './delivering.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookRulesModule } from './webhook-rules.module.js';

/** Sends webhooks. */
@Module({
  imports: [StorageModule, TelemetryModule, WebhookRulesModule],
  providers: [Delivering, WebhookMetrics],
})
export class DeliveringModule {}
