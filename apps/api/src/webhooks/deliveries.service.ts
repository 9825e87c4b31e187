import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { type EventPosition, visibleEvents } from '@petstore/event-feed';
import { ApiError } from '@petstore/http-server';
import { DeliveryRepository, DeliveryStore, UnitOfWork, WebhookRepository } from '@petstore/persistence';
import {
  type Delivery,
  DeliveryId,
  DeliveryNotifier,
  MAX_REPLAYED,
  type Replay,
  type Webhook,
  type WebhookRequest,
} from '@petstore/webhook';
import { orPositionGone } from '../events/events.service.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { idIn } from '../operations/path-id.js';
import type { Page } from '../operations/responses.js';
import { DELIVERY_LIST, type ListDeliveriesQuery } from './delivery.dto.js';
import { WEBHOOK_ERRORS } from './webhooks.docs.js';
import { required, WebhooksService } from './webhooks.service.js';

/** Ranges of the feed that one replay looks through: half a million events. */
const MAX_RANGES = 25;

/** What is delivered to webhooks. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly webhooks: WebhooksService,
    private readonly unitOfWork: UnitOfWork,
    private readonly notifier: DeliveryNotifier,
    private readonly links: LinkBuilder,
  ) {}

  /** @throws {ApiError} `invalid_cursor` */
  async list(request: WebhookRequest, query: ListDeliveriesQuery): Promise<Page> {
    const list = DELIVERY_LIST.open(query, { webhookId: request.id });
    const page = await this.deliveries.list({ ...request, ...list.page });
    if (page.last === undefined) await this.webhooks.find(request);
    return list.respond(page, this.links);
  }

  /** Queues a `webhook.test` event, also for a disabled webhook. */
  test(request: WebhookRequest): Promise<Delivery> {
    return this.queue(request, 'test', (webhook, deliveries) => deliveries.addTest(webhook));
  }

  /** Makes a delivery due now, with a full set of attempts. @throws {ApiError} `delivery_not_found` also for what is no id */
  redeliver(request: WebhookRequest, deliveryId: string): Promise<Delivery> {
    const id = idIn(DeliveryId, deliveryId, WEBHOOK_ERRORS.delivery_not_found);
    return this.queue(request, `delivery ${id}`, async (webhook, deliveries) => {
      const delivery = await deliveries.redeliver(webhook, id);
      if (delivery === undefined) throw new ApiError(WEBHOOK_ERRORS.delivery_not_found);
      webhook.requireEnabled();
      return delivery;
    });
  }

  /**
   * Makes failed deliveries due again and queues events that were never queued, such as those while the webhook was
   * disabled; oldest first, at most {@link MAX_REPLAYED}.
   *
   * @throws {ApiError} `position_gone`
   */
  async replay(request: WebhookRequest, after: EventPosition, caller: Caller): Promise<Replay> {
    const visibility = visibleEvents(caller);
    let replayed: Replay = { requeued: 0, next: after };
    for (let ranges = 0; ranges < MAX_RANGES && replayed.requeued < MAX_REPLAYED; ranges++) {
      const { requeued, next } = replayed;
      if (next === undefined) break;
      const wanted = { after: next, most: MAX_REPLAYED - requeued, visibility };
      // Each range is one transaction, so that a change of the webhook does not wait for all of them.
      const range = this.queue(request, 'replay', (webhook, deliveries) => {
        webhook.requireEnabled();
        return deliveries.replay(webhook, wanted);
      });
      const found = await orPositionGone(range, after);
      replayed = { requeued: requeued + found.requeued, next: found.next };
    }
    return replayed;
  }

  /** Queues deliveries of a webhook in a transaction in which nobody changes it. @param what names the work among that of the webhook */
  private queue<T>(
    request: WebhookRequest,
    what: string,
    work: (webhook: Webhook, deliveries: DeliveryRepository) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(
      async (tx) => {
        const webhook = required(await tx.of(WebhookRepository).lock(request, 'shared'));
        const queued = await work(webhook, tx.of(DeliveryRepository));
        tx.afterCommit(this.notifier.notify);
        return queued;
      },
      { serialize: `${what} of webhook ${request.id} of ${request.keyId}` },
    );
  }
}
