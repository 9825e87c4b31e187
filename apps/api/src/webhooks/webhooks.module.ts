import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookRulesModule } from './webhook-rules.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Endpoints of keys, and what is delivered to them. */
@Module({
  imports: [StorageModule, WebhookRulesModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [WebhooksService, DeliveriesService],
})
export class WebhooksModule {}
