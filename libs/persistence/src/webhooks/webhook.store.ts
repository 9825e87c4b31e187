import { Injectable } from '@nestjs/common';
import {
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  Webhook,
  WebhookLimitReachedError,
  type WebhookRequest,
  WebhookUrlTakenError,
} from '@petstore/webhook';
import { type EntityManager, IsNull, Not } from 'typeorm';
import type { Transaction } from '../unit-of-work/transaction.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { WebhookSecretSchema } from './webhook.schema.js';

/** Serializes transactions that give a URL to an endpoint of one key. $1 key id. */
const LOCK_KEY = 'select from api_keys where id = $1 for no key update';

/** By the database's clock, which decides what is still valid. $1 endpoint, $2 hours of validity. */
const LIMIT_CURRENT_SECRET = `update webhook_secrets set valid_until = now() + $2::float8 * interval '1 hour'
    where webhook_id = $1 and valid_until is null`;

/**
 * Endpoints of webhooks. The store is given secrets sealed, and cannot open them. Every method rejects with
 * `StoreUnavailableError` when the database is unavailable.
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

  /** `undefined` when the key has none of this id. */
  async find({ id, keyId }: WebhookRequest): Promise<Webhook | undefined> {
    const found = await this.unitOfWork.read((manager) => manager.findOneBy(Webhook, { id, keyId }));
    return found ?? undefined;
  }

  /**
   * @param sealed the secret that its deliveries are signed with
   * @throws {WebhookUrlTakenError}
   * @throws {WebhookLimitReachedError}
   */
  add(wanted: NewWebhook, sealed: Buffer): Promise<Webhook> {
    const { keyId } = wanted;
    return this.ofKey(keyId, async ({ manager }) => {
      await manager.query(LOCK_KEY, [keyId]);
      await requireFree(manager, wanted);
      if ((await manager.countBy(Webhook, { keyId })) >= MAX_WEBHOOKS_PER_KEY) {
        throw new WebhookLimitReachedError(
          `A key may have ${MAX_WEBHOOKS_PER_KEY} webhooks. Remove one of them first.`,
        );
      }
      const webhook = await manager.save(Webhook.create(wanted));
      await manager.insert(WebhookSecretSchema, { webhookId: webhook.id, sealed });
      return webhook;
    });
  }

  /**
   * Changes an endpoint. Disabling it fails its pending deliveries.
   *
   * @returns the endpoint as it is afterwards; `undefined` when the key has none of this id
   * @throws {WebhookUrlTakenError}
   */
  change({ id, keyId }: WebhookRequest, change: (webhook: Webhook) => void): Promise<Webhook | undefined> {
    return this.ofKey(keyId, async ({ manager, deliveries }) => {
      // The key before the endpoint: the order of all locks.
      await manager.query(LOCK_KEY, [keyId]);
      const webhook = await lock(manager, { id, keyId });
      if (webhook === undefined) return undefined;
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
   * (`retention-rules.ts`).
   *
   * @param check may throw
   * @returns whether the key had one of this id
   */
  remove(request: WebhookRequest, check: (webhook: Webhook) => void): Promise<boolean> {
    const { id, keyId } = request;
    return this.ofKey(keyId, async ({ manager, deliveries }) => {
      const webhook = await lock(manager, request);
      if (webhook === undefined) return false;
      check(webhook);
      await manager.update(Webhook, { id }, { keyId: null, status: 'disabled', disabledReason: null });
      await manager.delete(WebhookSecretSchema, { webhookId: id });
      await deliveries.end([id], 'failed');
      return true;
    });
  }

  /**
   * Signs with a new secret from now on. Of the older ones only the last remains valid, for the overlap.
   *
   * @param sealed the new secret
   * @param overlapHours 0 ends all older ones at once
   * @returns the endpoint; `undefined` when the key has none of this id
   */
  rotateSecret(request: WebhookRequest, sealed: Buffer, overlapHours: number): Promise<Webhook | undefined> {
    const { id: webhookId, keyId } = request;
    return this.ofKey(keyId, async ({ manager }) => {
      const webhook = await lock(manager, request);
      if (webhook === undefined) return undefined;
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

/** @throws {WebhookUrlTakenError} no other transaction gives the URL away while the key is locked */
async function requireFree(
  manager: EntityManager,
  { keyId, url }: Pick<NewWebhook, 'keyId' | 'url'>,
): Promise<void> {
  if (await manager.existsBy(Webhook, { keyId, url }))
    throw new WebhookUrlTakenError('Another webhook of this key has this URL.');
}

/** The endpoint, which no other transaction changes until the end of this one; `undefined` when the key has none of this id. */
async function lock(manager: EntityManager, { id, keyId }: WebhookRequest): Promise<Webhook | undefined> {
  // Events are queued for it meanwhile.
  const noKeyUpdate = { mode: 'for_no_key_update' } as const;
  return (await manager.findOne(Webhook, { where: { id, keyId }, lock: noKeyUpdate })) ?? undefined;
}
