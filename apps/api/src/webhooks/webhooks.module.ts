import { Module } from '@nestjs/common';
import { readOrCreatePepper } from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import { CONFIGURATION } from '@petstore/configuration/nest';
import { PostgresDeliveryStore, PostgresWebhookStore } from '@petstore/persistence';
import { SecretSealer, WebhookTargets } from '@petstore/webhook';
import { StorageModule } from '../storage/storage.module.js';
import { DELIVERY_STORE, DeliveriesController } from './deliveries.controller.js';
import { WebhookLinks } from './webhook-links.js';
import { WEBHOOK_STORE, WebhooksController } from './webhooks.controller.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [StorageModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    WebhookLinks,
    { provide: WEBHOOK_STORE, useExisting: PostgresWebhookStore },
    { provide: DELIVERY_STORE, useExisting: PostgresDeliveryStore },
    {
      provide: WebhookTargets,
      inject: [CONFIGURATION],
      useFactory: ({ webhookAllowedNetworks, webhookHttp }: Configuration) =>
        new WebhookTargets({ allowedNetworks: webhookAllowedNetworks, http: webhookHttp }),
    },
    {
      provide: SecretSealer,
      inject: [CONFIGURATION],
      useFactory: async ({ apiKeyPepper, previousApiKeyPeppers, dataDir }: Configuration) =>
        new SecretSealer(apiKeyPepper ?? (await readOrCreatePepper(dataDir)), previousApiKeyPeppers),
    },
  ],
})
export class WebhooksModule {}
