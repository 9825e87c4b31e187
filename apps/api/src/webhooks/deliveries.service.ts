import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { type EventPosition, visibleEvents } from '@petstore/event-feed';
import { DeliveryStore } from '@petstore/persistence';
import { type Delivery, DeliveryId, type Replay, type WebhookRequest } from '@petstore/webhook';
import { orPositionGone } from '../events/events.service.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { idIn } from '../operations/path-id.js';
import type { Page } from '../operations/responses.js';
import { DELIVERY_LIST, type ListDeliveriesQuery } from './delivery.dto.js';
import { WEBHOOK_ERRORS } from './webhooks.docs.js';

/** Deliveries to webhooks. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly links: LinkBuilder,
  ) {}

  /** Queues a test. */
  test(webhook: WebhookRequest): Promise<Delivery> {
    return this.deliveries.test(webhook);
  }

  /** @throws {ApiError} `invalid_cursor` */
  async list(webhook: WebhookRequest, query: ListDeliveriesQuery): Promise<Page> {
    const list = DELIVERY_LIST.open(query, { webhookId: webhook.id });
    return list.respond(await this.deliveries.list({ ...webhook, ...list.page }), this.links);
  }

  /** @throws {ApiError} `delivery_not_found` for what is no id */
  redeliver(webhook: WebhookRequest, deliveryId: string): Promise<Delivery> {
    return this.deliveries.redeliver(
      webhook,
      idIn(DeliveryId, deliveryId, WEBHOOK_ERRORS.delivery_not_found),
    );
  }

  /** @throws {ApiError} `position_gone` */
  replay(webhook: WebhookRequest, after: EventPosition, caller: Caller): Promise<Replay> {
    return orPositionGone(
      this.deliveries.replay({ ...webhook, after, visibility: visibleEvents(caller) }),
      after,
    );
  }
}
