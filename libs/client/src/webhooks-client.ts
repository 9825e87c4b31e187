import {
  type CallOptions,
  preconditionsOf,
  type RotateOptions,
  type WriteOptions,
} from './client-options.js';
import { toInt64 } from './json.js';
import { LARGEST_PAGE, pagesOf } from './pagination.js';
import type {
  DeliveryPage,
  ListDeliveries,
  NewWebhook,
  Recovery,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookWithSecret,
} from './resources.js';
import type { Transport } from './transport.js';

const PATH = '/webhooks';

/**
 * Webhooks of the key (`docs/contract.md`, "Webhooks"), which needs the scope `webhooks:manage`. What they deliver is
 * verified by `verifyWebhook`. Every method that takes an id throws a RangeError for one that is a number and not exact.
 */
export class WebhooksClient {
  constructor(private readonly transport: Transport) {}

  /** All webhooks, newest first: 10 at the most. */
  async list(options: CallOptions = {}): Promise<readonly Webhook[]> {
    return this.transport.send('listWebhooks', { path: PATH, isList: true }, options);
  }

  /**
   * Adds a webhook. Keep the secret: it is never shown again.
   *
   * It is repeated when the outcome of an attempt is unknown. If the first one was carried out, the error is
   * `webhook_url_taken` with `details.isAfterUnknownOutcome`: find the webhook in the list and rotate its secret.
   *
   * @throws ApiError `webhook_url_taken`, `webhook_limit_reached`
   */
  async create(webhook: NewWebhook, options: CallOptions = {}): Promise<WebhookWithSecret> {
    const call = { method: 'POST', path: PATH, body: webhook, repeatable: true } as const;
    return this.transport.send('createWebhook', call, options);
  }

  /** @throws ApiError `webhook_not_found`, also for a webhook of another key */
  async get(id: bigint | number, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.send('getWebhook', { path: pathOf(id) }, options);
  }

  /**
   * Changes a webhook, with the conditions and repetitions of `updatePet`.
   *
   * @throws PreconditionFailedError; ApiError `webhook_not_found`, `webhook_url_taken`
   */
  async update(id: bigint | number, patch: WebhookPatch, options: WriteOptions = {}): Promise<Webhook> {
    const headers = preconditionsOf(options);
    const call = { method: 'PATCH', path: pathOf(id), headers, body: patch } as const;
    return this.transport.send('updateWebhook', call, options);
  }

  /**
   * Removes a webhook with its deliveries. If it is gone on a repetition of the request, the call succeeds.
   *
   * @throws PreconditionFailedError; ApiError `webhook_not_found`
   */
  async delete(id: bigint | number, options: WriteOptions = {}): Promise<void> {
    await this.transport.remove('deleteWebhook', pathOf(id), preconditionsOf(options), options);
  }

  /**
   * Replaces the secret; the one before remains valid for the overlap, and no older one. Never repeated by itself: if
   * there was no response, the secret that receivers know may be the one before the current one.
   *
   * @throws ApiError `webhook_not_found`
   */
  async rotateSecret(id: bigint | number, options: RotateOptions = {}): Promise<WebhookWithSecret> {
    const { overlapHours } = options;
    const body = overlapHours === undefined ? undefined : { overlapHours };
    // A second rotation would end the secret that receivers know.
    const call = { method: 'POST', path: `${pathOf(id)}/rotate-secret`, body, repeatable: false } as const;
    return this.transport.send('rotateWebhookSecret', call, options);
  }

  /**
   * Has a `webhook.test` event delivered, once.
   *
   * @throws ApiError `webhook_not_found`
   */
  async test(id: bigint | number, options: CallOptions = {}): Promise<WebhookDelivery> {
    const call = { method: 'POST', path: `${pathOf(id)}/test`, repeatable: true } as const;
    return this.transport.send('testWebhook', call, options);
  }

  /** One page of the deliveries of a webhook, newest first. @throws ApiError `webhook_not_found` */
  async listDeliveries(
    id: bigint | number,
    query: ListDeliveries = {},
    options: CallOptions = {},
  ): Promise<DeliveryPage> {
    const path = `${pathOf(id)}/deliveries`;
    const { items, next } = await this.transport.list('listDeliveries', path, query, options);
    return { deliveries: items, next };
  }

  /** All deliveries of a webhook, newest first, page after page. @throws ApiError `webhook_not_found` */
  async *deliveries(
    id: bigint | number,
    query: ListDeliveries = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    const list = (page: ListDeliveries) => this.listDeliveries(id, page, options);
    const pages = pagesOf('listDeliveries', 'deliveries', list, { limit: LARGEST_PAGE, ...query });
    for await (const { deliveries } of pages) yield* deliveries;
  }

  /**
   * Makes a delivery due now, whatever has become of it.
   *
   * @throws ApiError `webhook_not_found`, `delivery_not_found`, `webhook_disabled`
   */
  async redeliver(
    id: bigint | number,
    delivery: bigint | number,
    options: CallOptions = {},
  ): Promise<WebhookDelivery> {
    const path = `${pathOf(id)}/deliveries/${toInt64('delivery', delivery)}/redeliver`;
    return this.transport.send('redeliver', { method: 'POST', path, repeatable: true }, options);
  }

  /**
   * Makes due what was missed behind a position of the feed. If the result has `next`, call it again with that.
   *
   * @throws PositionGoneError; ApiError `webhook_not_found`, `webhook_disabled`
   */
  async recover(id: bigint | number, after: bigint | number, options: CallOptions = {}): Promise<Recovery> {
    const body = { after: toInt64('after', after) };
    const call = {
      method: 'POST',
      path: `${pathOf(id)}/recover`,
      body,
      repeatable: true,
      member: 'requeued',
    } as const;
    return this.transport.send('recoverWebhook', call, options);
  }
}

function pathOf(id: bigint | number): string {
  return `${PATH}/${toInt64('id', id)}`;
}
