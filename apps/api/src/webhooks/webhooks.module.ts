import { Module } from '@nestjs/common';
import { DeliveryQueueStore } from '@petstore/persistence';
import { DeliveryNotifier } from '@petstore/webhook';
import { WebhookDeliveryModule, type WebhookDeliveryOptions } from '@petstore/webhook/nest';
import { ACCESS_SETTINGS, type AccessSettings } from '../access/access.settings.js';
import { peppersOf } from '../access/pepper.js';
import { type Log, LOG } from '../logging/log.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhooks.settings.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [
    StorageModule,
    WebhookDeliveryModule.forRootAsync({
      imports: [StorageModule, TelemetryModule],
      provideInjectionTokensFrom: [WebhookMetrics],
      inject: [
        ...[DeliveryQueueStore, DeliveryNotifier, LOG, WebhookMetrics],
        ...[WEBHOOK_SETTINGS.KEY, ACCESS_SETTINGS.KEY, STORAGE_SETTINGS.KEY],
      ],
      useFactory: async (
        queue: DeliveryQueueStore,
        notifier: DeliveryNotifier,
        log: Log,
        { observe }: WebhookMetrics,
        { webhookAllowedNetworks, webhookHttp, webhookProxy }: WebhookSettings,
        access: AccessSettings,
        storage: StorageSettings,
      ): Promise<WebhookDeliveryOptions> => ({
        queue,
        notifier,
        log,
        observe,
        addresses: { allowedNetworks: webhookAllowedNetworks, http: webhookHttp },
        proxy: webhookProxy,
        ...(await peppersOf({ ...access, ...storage })),
        delivers: storage.worker,
      }),
    }),
  ],
  controllers: [WebhooksController],
  providers: [WebhooksService, DeliveriesService],
})
export class WebhooksModule {}
