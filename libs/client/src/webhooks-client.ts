import type { CallOptions, RotateOptions, WriteOptions } from './client-options.js';
import { withTagOf } from './entity-tags.js';
import { isApiError } from './errors.js';
import { LARGEST_PAGE, pagesOf } from './pagination.js';
import type { Transport } from './transport.js';
import { linkParameter } from './web-link.js';
import type {
  DeliveryPage,
  ListDeliveries,
  NewWebhook,
  Recovery,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookWithSecret,
} from './webhook.js';
import { WEBHOOK_CALLS } from './webhook-calls.js';

/**
 * Webhooks of the key (`docs/contract.md`, "Webhooks"), which needs the scope `webhooks:manage`. What they deliver is
 * verified by `verifyWebhook`. Every method that takes an id throws a RangeError for one that is a number and not exact.
 */
export class WebhooksClient {
  constructor(private readonly transport: Transport) {}

  /** All webhooks, newest first: 10 at the most. */
  async list(options: CallOptions = {}): Promise<readonly Webhook[]> {
    return (await this.transport.send(WEBHOOK_CALLS.list(options))).body as Webhook[];
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
    return withTagOf(await this.transport.send(WEBHOOK_CALLS.create(webhook, options))) as WebhookWithSecret;
  }

  /** @throws ApiError `webhook_not_found`, also for a webhook of another key */
  async get(id: bigint | number, options: CallOptions = {}): Promise<Webhook> {
    return withTagOf(await this.transport.send(WEBHOOK_CALLS.get(id, options))) as Webhook;
  }

  /**
   * Changes a webhook, with the conditions and repetitions of `updatePet`.
   *
   * @throws PreconditionFailedError; ApiError `webhook_not_found`, `webhook_url_taken`
   */
  async update(id: bigint | number, patch: WebhookPatch, options: WriteOptions = {}): Promise<Webhook> {
    return withTagOf(await this.transport.send(WEBHOOK_CALLS.update(id, patch, options))) as Webhook;
  }

  /**
   * Removes a webhook with its deliveries. If it is gone on a repetition of the request, the call succeeds.
   *
   * @throws PreconditionFailedError; ApiError `webhook_not_found`
   */
  async delete(id: bigint | number, options: WriteOptions = {}): Promise<void> {
    try {
      await this.transport.send(WEBHOOK_CALLS.delete(id, options));
    } catch (error) {
      if (isApiError(error, 'webhook_not_found') && error.details.isAfterUnknownOutcome) return;
      throw error;
    }
  }

  /**
   * Replaces the secret; the one before remains valid for the overlap, and no older one. Never repeated by itself: if
   * there was no response, the secret that receivers know may be the one before the current one.
   *
   * @throws ApiError `webhook_not_found`
   */
  async rotateSecret(id: bigint | number, options: RotateOptions = {}): Promise<WebhookWithSecret> {
    const call = WEBHOOK_CALLS.rotateSecret(id, options.overlapHours, options);
    return (await this.transport.send(call)).body as WebhookWithSecret;
  }

  /**
   * Has a `webhook.test` event delivered, once.
   *
   * @throws ApiError `webhook_not_found`
   */
  async test(id: bigint | number, options: CallOptions = {}): Promise<WebhookDelivery> {
    return (await this.transport.send(WEBHOOK_CALLS.test(id, options))).body as WebhookDelivery;
  }

  /** One page of the deliveries of a webhook, newest first. @throws ApiError `webhook_not_found` */
  async listDeliveries(
    id: bigint | number,
    query: ListDeliveries = {},
    options: CallOptions = {},
  ): Promise<DeliveryPage> {
    const { headers, body } = await this.transport.send(WEBHOOK_CALLS.deliveries(id, query, options));
    return { deliveries: body as WebhookDelivery[], next: linkParameter(headers, 'cursor') };
  }

  /** All deliveries of a webhook, newest first, page after page. @throws ApiError `webhook_not_found` */
  async *deliveries(
    id: bigint | number,
    query: ListDeliveries = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    const pages = pagesOf((page: ListDeliveries) => this.listDeliveries(id, page, options), {
      limit: LARGEST_PAGE,
      ...query,
    });
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
    return (await this.transport.send(WEBHOOK_CALLS.redeliver(id, delivery, options)))
      .body as WebhookDelivery;
  }

  /**
   * Makes due what was missed behind a position of the feed. If the result has `next`, call it again with that.
   *
   * @throws PositionGoneError; ApiError `webhook_not_found`, `webhook_disabled`
   */
  async recover(id: bigint | number, after: bigint | number, options: CallOptions = {}): Promise<Recovery> {
    return (await this.transport.send(WEBHOOK_CALLS.recover(id, after, options))).body as Recovery;
  }
}
