import { Module } from '@nestjs/common';
import { AddressPolicy, SecretSealer } from '@petstore/webhook';
import { ACCESS_SETTINGS, type AccessSettings } from '../access/access.settings.js';
import { peppersOf } from '../access/pepper.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhooks.settings.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    DeliveriesService,
    WebhookDelivery,
    WebhookMetrics,
    {
      provide: AddressPolicy,
      inject: [WEBHOOK_SETTINGS.KEY],
      useFactory: ({ webhookAllowedNetworks: allowedNetworks, webhookHttp: http }: WebhookSettings) =>
        new AddressPolicy({ allowedNetworks, http }),
    },
    {
      provide: SecretSealer,
      inject: [ACCESS_SETTINGS.KEY, STORAGE_SETTINGS.KEY],
      useFactory: async (access: AccessSettings, storage: StorageSettings) => {
        const { pepper, previousPeppers } = await peppersOf({ ...access, ...storage });
        return new SecretSealer(pepper, previousPeppers);
      },
    },
  ],
})
export class WebhooksModule {}
