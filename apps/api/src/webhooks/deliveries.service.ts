import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { type EventPosition, visibleEvents } from '@petstore/event-feed';
import { DeliveryStore } from '@petstore/persistence';
import { DeliveryId, type Replay, type WebhookRequest } from '@petstore/webhook';
import { orPositionGone } from '../events/event.errors.js';
import { positionIn } from '../lists/cursor.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { idIn } from '../operations/operation.errors.js';
import type { Page } from '../operations/responses.js';
import { DELIVERY_CURSOR, type ListDeliveriesQuery } from './delivery.dto.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';

/** Deliveries to webhooks; what is refused is a `WebhookRefusedError`. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly links: LinkBuilder,
  ) {}

  /** Queues a test. @returns the delivery as JSON */
  test(webhook: WebhookRequest): Promise<string> {
    return this.deliveries.test(webhook);
  }

  /** @throws {ApiError} `invalid_cursor` */
  async list(webhook: WebhookRequest, { limit, status, cursor }: ListDeliveriesQuery): Promise<Page> {
    const filters = { status, filter: webhook.id };
    const before = positionIn(cursor, filters, 'another webhook, or to a list with another status');
    const page = await this.deliveries.list({ ...webhook, limit, status, before });
    const link = this.links.ofPage(
      `/webhooks/${webhook.id}/deliveries`,
      { limit, status },
      { next: DELIVERY_CURSOR.next(page, filters), isFirst: before === undefined },
    );
    return { json: page.json, link };
  }

  /** @returns the delivery as JSON @throws {ApiError} `delivery_not_found` for what is no id */
  redeliver(webhook: WebhookRequest, deliveryId: string): Promise<string> {
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
