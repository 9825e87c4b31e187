import { Module } from '@nestjs/common';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { SecretSealer, WebhookTargets } from '@petstore/webhook';
import { ACCESS_SETTINGS, type AccessSettings } from '../access/access.settings.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryWorker } from './delivery-worker.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhooks.settings.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    WebhooksService,
    DeliveriesService,
    DeliveryWorker,
    WebhookMetrics,
    {
      provide: WebhookTargets,
      inject: [WEBHOOK_SETTINGS.KEY],
      useFactory: ({ webhookAllowedNetworks, webhookHttp }: WebhookSettings) =>
        new WebhookTargets({ allowedNetworks: webhookAllowedNetworks, http: webhookHttp }),
    },
    {
      provide: SecretSealer,
      inject: [ACCESS_SETTINGS.KEY, STORAGE_SETTINGS.KEY],
      useFactory: async (
        { apiKeyPepper, previousApiKeyPeppers }: AccessSettings,
        { dataDir }: StorageSettings,
      ) => new SecretSealer(apiKeyPepper ?? (await readOrCreatePepper(dataDir)), previousApiKeyPeppers),
    },
  ],
})
export class WebhooksModule {}
