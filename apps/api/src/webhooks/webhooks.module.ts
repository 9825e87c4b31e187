import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { WebhookLinks } from './webhook-links.js';
import { WebhookRulesModule } from './webhook-rules.module.js';
import { WebhooksController } from './webhooks.controller.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [StorageModule, WebhookRulesModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [WebhookLinks],
})
export class WebhooksModule {}
