import { Module } from '@nestjs/common';
import { PostgresDeliveryStore, PostgresWebhookStore } from '@petstore/persistence';
import { StorageModule } from '../storage/storage.module.js';
import { DELIVERY_STORE, DeliveriesController } from './deliveries.controller.js';
import { WebhookLinks } from './webhook-links.js';
import { WebhookRulesModule } from './webhook-rules.module.js';
import { WEBHOOK_STORE, WebhooksController } from './webhooks.controller.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [StorageModule, WebhookRulesModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    WebhookLinks,
    { provide: WEBHOOK_STORE, useExisting: PostgresWebhookStore },
    { provide: DELIVERY_STORE, useExisting: PostgresDeliveryStore },
  ],
})
export class WebhooksModule {}
