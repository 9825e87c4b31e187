import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { DeliveryRepository, type Transaction, UnitOfWork, WebhookRepository } from '@petstore/persistence';
import {
  AddressPolicy,
  SecretSealer,
  Webhook,
  WebhookId,
  webhookJson,
  type WebhookPatch,
  type WebhookRequest,
  WebhookSecret,
  WebhookTypes,
  WebhookUrl,
} from '@petstore/webhook';
import type { Precondition } from '../operations/request-headers.decorator.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { idIn } from '../operations/path-id.js';
import type { NewWebhookDto, WebhookPatchDto } from './webhook.dto.js';
import { WEBHOOK_ERRORS } from './webhooks.docs.js';

/** A webhook, and a secret of it that is shown once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: WebhookSecret;
}

/** Webhooks of keys. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly policy: AddressPolicy,
    private readonly sealer: SecretSealer,
    private readonly links: LinkBuilder,
  ) {}

  /** All webhooks of a key as a JSON array. */
  async list(keyId: string): Promise<string> {
    const webhooks = await this.unitOfWork.read((from) => from.of(WebhookRepository).list(keyId));
    return `[${webhooks.map(webhookJson).join()}]`;
  }

  async find(request: WebhookRequest): Promise<Webhook> {
    return required(await this.unitOfWork.read((from) => from.of(WebhookRepository).find(request)));
  }

  /** @throws {ApiError} `validation_failed` for a URL or types that settings or scopes of the key do not allow */
  async create(
    caller: Caller,
    { url: sent, types, description }: NewWebhookDto,
  ): Promise<WebhookWithSecret & { readonly location: string }> {
    const { keyId } = caller;
    const url = this.permittedUrl(sent);
    const wanted = { keyId, url, types: permittedTypes(types, caller), description };
    const secret = WebhookSecret.generate();
    const webhook = await this.change(keyId, async (tx, webhooks) => {
      await webhooks.lockKey(keyId);
      const added = Webhook.add(wanted, await webhooks.hasUrl(keyId, url), await webhooks.countOf(keyId));
      await webhooks.insert(added, this.sealer.seal(secret));
      return added;
    });
    return { webhook, secret, location: this.links.to(`/webhooks/${webhook.id}`) };
  }

  /**
   * Disabling a webhook fails its pending deliveries.
   *
   * @returns the webhook after the change
   * @throws {ApiError} see {@link create}
   */
  update(
    request: WebhookRequest,
    caller: Caller,
    { url: sent, types, ...others }: WebhookPatchDto,
    precondition: Precondition,
  ): Promise<Webhook> {
    const { keyId } = request;
    const url = sent === undefined ? undefined : this.permittedUrl(sent);
    const patch: WebhookPatch = {
      ...others,
      url,
      types: types === null ? null : permittedTypes(types, caller),
    };
    return this.change(keyId, async (tx, webhooks) => {
      // The key before the webhook: the order of all locks.
      await webhooks.lockKey(keyId);
      const webhook = required(await webhooks.lock(request));
      precondition.requireFor(webhookJson(webhook));
      const { status } = webhook;
      webhook.patch(patch, url !== undefined && (await webhooks.hasUrl(keyId, url)));
      await webhooks.update(webhook);
      if (status === 'enabled' && webhook.status === 'disabled') await failPending(tx, webhook);
      return webhook;
    });
  }

  delete(request: WebhookRequest, precondition: Precondition): Promise<void> {
    return this.change(request.keyId, async (tx, webhooks) => {
      const webhook = required(await webhooks.lock(request));
      precondition.requireFor(webhookJson(webhook));
      await webhooks.delete(webhook);
      await failPending(tx, webhook);
    });
  }

  /** @param overlapHours for which the secret before remains valid */
  async rotateSecret(request: WebhookRequest, overlapHours: number): Promise<WebhookWithSecret> {
    const secret = WebhookSecret.generate();
    const webhook = await this.change(request.keyId, async (_tx, webhooks) => {
      const locked = required(await webhooks.lock(request));
      await webhooks.replaceSecret(locked, this.sealer.seal(secret), overlapHours);
      return locked;
    });
    return { webhook, secret };
  }

  private change<T>(
    keyId: string,
    work: (tx: Transaction, webhooks: WebhookRepository) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run((tx) => work(tx, tx.of(WebhookRepository)), {
      serialize: `webhooks of ${keyId}`,
    });
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

/** @throws {ApiError} `webhook_not_found` when the key has no such webhook */
export function required(webhook: Webhook | undefined): Webhook {
  if (webhook === undefined) throw new ApiError(WEBHOOK_ERRORS.webhook_not_found);
  return webhook;
}

async function failPending(tx: Transaction, { id }: Webhook): Promise<void> {
  await tx.of(DeliveryRepository).end([id], 'failed');
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
