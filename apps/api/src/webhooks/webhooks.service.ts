import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { type EventPosition, visibleEvents } from '@petstore/event-feed';
import { DeliveryStore, WebhookStore } from '@petstore/persistence';
import {
  type Delivery,
  DeliveryId,
  type Replay,
  SecretSealer,
  WebhookId,
  webhookJson,
  type WebhookRequest,
  WebhookSecret,
  AddressPolicy,
  WebhookTypes,
  WebhookUrl,
} from '@petstore/webhook';
import { orPositionGone } from '../events/events.service.js';
import type { Precondition } from '../operations/request-headers.decorator.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { idIn } from '../operations/path-id.js';
import type { Created, Page } from '../operations/responses.js';
import { DELIVERY_LIST, type ListDeliveriesQuery } from './delivery.dto.js';
import { WEBHOOK_ERRORS } from './webhooks.docs.js';
import type { NewWebhookDto, WebhookPatchDto } from './webhook.dto.js';

/** A webhook as JSON, with a secret that is shown once. */
export interface WebhookWithSecret {
  readonly json: string;
  readonly secret: WebhookSecret;
}

/** Webhooks of keys, and what is delivered to them. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly policy: AddressPolicy,
    private readonly sealer: SecretSealer,
    private readonly links: LinkBuilder,
  ) {}

  /** All webhooks of a key as a JSON array. */
  async list(keyId: string): Promise<string> {
    return `[${(await this.webhooks.list(keyId)).map(webhookJson).join()}]`;
  }

  /** The webhook as JSON. */
  async find(webhook: WebhookRequest): Promise<string> {
    return webhookJson(await this.webhooks.find(webhook));
  }

  /** @throws {ApiError} `validation_failed` for a URL or types that settings or scopes of the key do not allow */
  async create(
    caller: Caller,
    { url, types, description }: NewWebhookDto,
  ): Promise<WebhookWithSecret & Created> {
    const { keyId } = caller;
    const wanted = { keyId, url: this.permittedUrl(url), types: permittedTypes(types, caller), description };
    const secret = WebhookSecret.generate();
    const added = await this.webhooks.add(wanted, this.sealer.seal(secret));
    return { json: webhookJson(added), secret, location: this.links.to(`/webhooks/${added.id}`) };
  }

  /**
   * @returns the webhook after the change, as JSON
   * @throws {ApiError} see {@link create}
   */
  async update(
    webhook: WebhookRequest,
    caller: Caller,
    { url, types, description, status }: WebhookPatchDto,
    precondition: Precondition,
  ): Promise<string> {
    const patch = {
      url: url === undefined ? undefined : this.permittedUrl(url),
      types: types === null ? null : permittedTypes(types, caller),
      description,
      status,
    };
    const changed = await this.webhooks.change(webhook, (found) => {
      precondition.requireFor(webhookJson(found));
      found.patch(patch);
    });
    return webhookJson(changed);
  }

  delete(webhook: WebhookRequest, precondition: Precondition): Promise<void> {
    return this.webhooks.remove(webhook, (found) => {
      precondition.requireFor(webhookJson(found));
    });
  }

  /** @param overlapHours for which the secret before remains valid */
  async rotateSecret(webhook: WebhookRequest, overlapHours: number): Promise<WebhookWithSecret> {
    const secret = WebhookSecret.generate();
    const rotated = await this.webhooks.rotateSecret(webhook, this.sealer.seal(secret), overlapHours);
    return { json: webhookJson(rotated), secret };
  }

  /** Queues a test. */
  test(webhook: WebhookRequest): Promise<Delivery> {
    return this.deliveries.test(webhook);
  }

  /** @throws {ApiError} `invalid_cursor` */
  async listDeliveries(webhook: WebhookRequest, query: ListDeliveriesQuery): Promise<Page> {
    const list = DELIVERY_LIST.open(query, { webhookId: webhook.id });
    return list.respond(await this.deliveries.list({ ...webhook, ...list.page }), this.links);
  }

  /** @throws {ApiError} `delivery_not_found` for what is no id */
  redeliver(webhook: WebhookRequest, deliveryId: string): Promise<Delivery> {
    const id = idIn(DeliveryId, deliveryId, WEBHOOK_ERRORS.delivery_not_found);
    return this.deliveries.redeliver(webhook, id);
  }

  /** @throws {ApiError} `position_gone` */
  replay(webhook: WebhookRequest, after: EventPosition, caller: Caller): Promise<Replay> {
    const replayed = this.deliveries.replay({ ...webhook, after, visibility: visibleEvents(caller) });
    return orPositionGone(replayed, after);
  }

  private permittedUrl(text: string): WebhookUrl {
    const read = WebhookUrl.read(text, this.policy);
    if ('url' in read) return read.url;
    throw invalid(`url must ${read.problem}.`);
  }
}

/** The webhook that a path names, of the key of the caller. @throws {ApiError} `webhook_not_found` for what is no id */
export function webhookOf({ keyId }: Caller, id: string): WebhookRequest {
  return { id: idIn(WebhookId, id, WEBHOOK_ERRORS.webhook_not_found), keyId };
}

function permittedTypes(
  types: readonly string[] | undefined,
  { scopes }: Caller,
): readonly string[] | undefined {
  const forbidden = types && WebhookTypes.firstForbidden(types, scopes);
  if (forbidden === undefined) return types;
  throw invalid(
    `types has ${forbidden}, for which the key needs the scope ${WebhookTypes.neededScope(forbidden)}.`,
  );
}

function invalid(message: string): ApiError {
  return new ApiError('validation_failed', { message });
}
