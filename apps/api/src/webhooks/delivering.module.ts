import { Module } from '@nestjs/common';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DeliveryWorker } from './delivery-worker.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookRulesModule } from './webhook-rules.module.js';

/** Sends webhooks. */
@Module({
  imports: [StorageModule, TelemetryModule, WebhookRulesModule],
  providers: [DeliveryWorker, WebhookMetrics],
})
export class DeliveringModule {}
