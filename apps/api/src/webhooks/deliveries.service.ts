import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { type EventPosition, visibleEvents } from '@petstore/event-feed';
import { DeliveryStore } from '@petstore/persistence';
import {
  DeliveryId,
  DeliveryNotFoundError,
  type Replay,
  WebhookDisabledError,
  type WebhookRequest,
} from '@petstore/webhook';
import { orPositionGone } from '../events/event.errors.js';
import { positionIn } from '../lists/cursor.js';
import { Links } from '../operations/links.js';
import { idIn, mapErrors } from '../operations/operation.errors.js';
import type { Page } from '../operations/responses.js';
import { DELIVERY_CURSOR, type ListDeliveriesQuery } from './delivery.dto.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import { required, webhookOf } from './webhooks.service.js';

const REFUSALS = [
  [DeliveryNotFoundError, WEBHOOK_ERRORS.delivery_not_found],
  [WebhookDisabledError, WEBHOOK_ERRORS.webhook_disabled],
] as const;

/** Deliveries to webhooks. Without the webhook every method rejects with `webhook_not_found`. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly links: Links,
  ) {}

  /** Queues a test. @returns the delivery as JSON */
  async test(webhook: WebhookRequest): Promise<string> {
    return required(await this.deliveries.test(webhook));
  }

  /** @throws {ApiError} `invalid_cursor` */
  async list(webhook: WebhookRequest, { limit, status, cursor }: ListDeliveriesQuery): Promise<Page> {
    const filters = { status, filter: webhook.id };
    const before = positionIn(cursor, filters, 'another webhook, or to a list with another status');
    const page = required(await this.deliveries.list({ ...webhook, limit, status, before }));
    const link = this.links.ofPage(
      `/webhooks/${webhook.id}/deliveries`,
      { limit, status },
      { next: DELIVERY_CURSOR.next(page, filters), isFirst: before === undefined },
    );
    return { json: page.json, link };
  }

  /** @returns the delivery as JSON @throws {ApiError} `delivery_not_found`, `webhook_disabled` */
  async redeliver(webhook: WebhookRequest, deliveryId: string): Promise<string> {
    const delivery = idIn(DeliveryId, deliveryId, WEBHOOK_ERRORS.delivery_not_found);
    return required(await mapErrors(this.deliveries.redeliver(webhook, delivery), REFUSALS));
  }

  /** @throws {ApiError} `webhook_disabled`, `position_gone` */
  async replay(caller: Caller, webhookId: string, after: EventPosition): Promise<Replay> {
    const request = { ...webhookOf(caller, webhookId), after, visibility: visibleEvents(caller) };
    const replayed = orPositionGone(this.deliveries.replay(request), after);
    return required(await mapErrors(replayed, REFUSALS));
  }
}
