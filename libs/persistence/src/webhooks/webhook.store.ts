import { Injectable } from '@nestjs/common';
import {
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  Webhook,
  WebhookLimitReachedError,
  WebhookNotFoundError,
  WebhookUrlTakenError,
  type WebhookRequest,
} from '@petstore/webhook';
import { type EntityManager, IsNull, Not } from 'typeorm';
import type { Transaction } from '../unit-of-work/transaction.js';
import { LOCK_KEY } from '../api-keys/lock-key.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { WebhookSecretSchema } from './webhook.schema.js';

/** By the database's clock, which decides what is still valid. $1 endpoint, $2 hours of validity. */
const LIMIT_CURRENT_SECRET = `update webhook_secrets set valid_until = now() + $2::float8 * interval '1 hour'
    where webhook_id = $1 and valid_until is null`;

/**
 * Endpoints of webhooks. The store is given secrets sealed, and cannot open them. A method rejects with
 * {@link WebhookNotFoundError} for an endpoint that the key does not have, and with `StoreUnavailableError` when the
 * database is unavailable.
 */
@Injectable()
export class WebhookStore {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** All endpoints of a key, newest first. */
  list(keyId: string): Promise<readonly Webhook[]> {
    return this.unitOfWork.read((manager) =>
      manager.find(Webhook, { where: { keyId }, order: { id: 'DESC' } }),
    );
  }

  async find({ id, keyId }: WebhookRequest): Promise<Webhook> {
    return required(await this.unitOfWork.read((manager) => manager.findOneBy(Webhook, { id, keyId })));
  }

  /**
   * @param sealed the secret that its deliveries are signed with
   * @throws {WebhookLimitReachedError | WebhookUrlTakenError}
   */
  add(wanted: NewWebhook, sealed: Buffer): Promise<Webhook> {
    const { keyId } = wanted;
    return this.ofKey(keyId, async ({ manager }) => {
      await manager.query(LOCK_KEY, [keyId]);
      await requireFree(manager, wanted);
      if ((await manager.countBy(Webhook, { keyId })) >= MAX_WEBHOOKS_PER_KEY)
        throw new WebhookLimitReachedError();
      const webhook = await manager.save(Webhook.create(wanted));
      await manager.insert(WebhookSecretSchema, { webhookId: webhook.id, sealed });
      return webhook;
    });
  }

  /**
   * Changes an endpoint. Disabling it fails its pending deliveries.
   *
   * @param change may throw
   * @throws {WebhookUrlTakenError}
   */
  change({ id, keyId }: WebhookRequest, change: (webhook: Webhook) => void): Promise<Webhook> {
    return this.ofKey(keyId, async ({ manager, deliveries }) => {
      // The key before the endpoint: the order of all locks.
      await manager.query(LOCK_KEY, [keyId]);
      const webhook = await lockWebhook(manager, { id, keyId });
      const { url, status } = webhook;
      change(webhook);
      if (webhook.url !== url) await requireFree(manager, { keyId, url: webhook.url });
      await manager.save(webhook);
      if (webhook.status === 'disabled' && status === 'enabled') await deliveries.end([id], 'failed');
      return webhook;
    });
  }

  /**
   * Removes an endpoint with its secrets. Nothing is sent to it any more; its deliveries are removed in the background
   * (`retention/retention.ts`).
   *
   * @param check may throw
   */
  remove(request: WebhookRequest, check: (webhook: Webhook) => void): Promise<void> {
    const { id, keyId } = request;
    return this.ofKey(keyId, async ({ manager, deliveries }) => {
      const webhook = await lockWebhook(manager, request);
      check(webhook);
      await manager.update(Webhook, { id }, { keyId: null, status: 'disabled', disabledReason: null });
      await manager.delete(WebhookSecretSchema, { webhookId: id });
      await deliveries.end([id], 'failed');
    });
  }

  /**
   * Signs with a new secret from now on. Of the older ones only the last remains valid, for the overlap.
   *
   * @param sealed the new secret
   * @param overlapHours 0 ends all older ones at once
   */
  rotateSecret(request: WebhookRequest, sealed: Buffer, overlapHours: number): Promise<Webhook> {
    const { id: webhookId, keyId } = request;
    return this.ofKey(keyId, async ({ manager }) => {
      const webhook = await lockWebhook(manager, request);
      const ended = overlapHours === 0 ? { webhookId } : { webhookId, validUntil: Not(IsNull()) };
      await manager.delete(WebhookSecretSchema, ended);
      await manager.query(LIMIT_CURRENT_SECRET, [webhookId, overlapHours]);
      await manager.insert(WebhookSecretSchema, { webhookId, sealed });
      return webhook;
    });
  }

  private ofKey<T>(keyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work, { serialize: `webhooks of ${keyId}` });
  }
}

/** No other transaction gives the URL away while the key is locked. */
async function requireFree(
  manager: EntityManager,
  { keyId, url }: Pick<NewWebhook, 'keyId' | 'url'>,
): Promise<void> {
  if (await manager.existsBy(Webhook, { keyId, url })) throw new WebhookUrlTakenError();
}

/**
 * The endpoint, which no other transaction changes until the end of this one; events are queued for it meanwhile.
 *
 * @throws {WebhookNotFoundError}
 */
export async function lockWebhook(
  manager: EntityManager,
  { id, keyId }: WebhookRequest,
  mode: 'for_no_key_update' | 'pessimistic_read' = 'for_no_key_update',
): Promise<Webhook> {
  return required(await manager.findOne(Webhook, { where: { id, keyId }, lock: { mode } }));
}

function required<T>(found: T | null): T {
  if (found === null) throw new WebhookNotFoundError();
  return found;
}
