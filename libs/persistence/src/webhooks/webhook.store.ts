import { Injectable } from '@nestjs/common';
import {
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  type StoredWebhook,
  type Webhook,
  WebhookLimitReachedError,
  type WebhookRequest,
  WebhookUrlTakenError,
} from '@petstore/webhook';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { withoutNulls } from '../sql/columns.js';
import { toJsonArray } from '../sql/page.js';
import { FAIL_PENDING, REMOVE_PENDING } from './settle.queries.js';
import type { Transaction } from '../unit-of-work/transaction.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import {
  ADD,
  ADD_SECRET,
  CHANGE,
  END_OLDER_SECRETS,
  FIND,
  LIMIT_CURRENT_SECRET,
  LIST,
  LOCK,
  LOCK_KEY,
  REMOVE,
  REMOVE_SECRETS,
  URLS_OF_KEY,
} from './webhook.queries.js';

/** An endpoint that is locked, and its JSON. */
interface LockedWebhook {
  readonly webhook: Webhook;
  readonly json: string;
}

type WebhookRow = { readonly [Member in keyof Webhook]: Webhook[Member] | null } & { readonly json: string };

/**
 * Endpoints of webhooks. The store is given secrets sealed, and cannot open them. Every method rejects with
 * `StoreUnavailableError` when the database is unavailable.
 */
@Injectable()
export class WebhookStore {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** All endpoints of a key, newest first, as a JSON array. */
  async list(keyId: string): Promise<string> {
    return toJsonArray(await this.database.reads.queryOnce(LIST, [keyId, MAX_WEBHOOKS_PER_KEY]));
  }

  /** The endpoint as JSON; `undefined` when the key has none of this id. */
  async find({ id, keyId }: WebhookRequest): Promise<string | undefined> {
    const [row] = await this.database.reads.queryOnce(FIND, [id, keyId]);
    return row?.[1] ?? undefined;
  }

  /**
   * @param secret that its deliveries are signed with, sealed
   * @throws {WebhookUrlTakenError}
   * @throws {WebhookLimitReachedError}
   */
  add({ url, types, description }: NewWebhook, keyId: string, secret: Buffer): Promise<StoredWebhook> {
    return this.ofKey(keyId, async ({ manager }) => {
      const urls = await lockUrls(manager, keyId);
      requireFree(url, urls);
      if (urls.length >= MAX_WEBHOOKS_PER_KEY) {
        throw new WebhookLimitReachedError(
          `A key may have ${MAX_WEBHOOKS_PER_KEY} webhooks. Remove one of them first.`,
        );
      }
      const [added] = await manager.query<[StoredWebhook]>(ADD, [
        keyId,
        url,
        types ?? null,
        description ?? null,
      ]);
      await manager.query(ADD_SECRET, [added.id, secret]);
      return added;
    });
  }

  /**
   * Changes an endpoint as `change` says. With one that is disabled, what was still to be delivered has failed.
   *
   * @param change given the endpoint as it is and its JSON; returns the same endpoint to change nothing
   * @returns the endpoint as it is afterwards, as JSON; `undefined` when the key has none of this id
   * @throws {WebhookUrlTakenError}
   */
  change(
    { id, keyId }: WebhookRequest,
    change: (current: Webhook, json: string) => Webhook,
  ): Promise<string | undefined> {
    return this.ofKey(keyId, async ({ manager }) => {
      // The key before the endpoint: the order of all locks.
      const urls = await lockUrls(manager, keyId);
      const locked = await lock(manager, { id, keyId });
      if (locked === undefined) return undefined;
      const before = locked.webhook;
      const after = change(before, locked.json);
      if (after === before) return locked.json;
      const { url, types, description, status, disabledReason, failingSince } = after;
      if (url !== before.url) requireFree(url, urls);
      const values = [url, types, description, status, disabledReason, failingSince].map(
        (value) => value ?? null,
      );
      const [[changed]] = await manager.query<[[StoredWebhook], number]>(CHANGE, [id, ...values]);
      if (status === 'disabled' && before.status !== status) await manager.query(FAIL_PENDING, [id]);
      return changed.json;
    });
  }

  /**
   * Removes an endpoint with its secrets and deliveries.
   *
   * @param check given its JSON; may throw
   * @returns whether the key had one of this id
   */
  remove(request: WebhookRequest, check: (json: string) => void): Promise<boolean> {
    return this.ofKey(request.keyId, async ({ manager }) => {
      const locked = await lock(manager, request);
      if (locked === undefined) return false;
      check(locked.json);
      for (const statement of [REMOVE, REMOVE_SECRETS, REMOVE_PENDING])
        await manager.query(statement, [request.id]);
      return true;
    });
  }

  /**
   * Signs with a new secret from now on. Of the older ones only the last remains valid, for the overlap.
   *
   * @param secret sealed
   * @param overlapHours 0 ends all older ones at once
   * @returns the endpoint as JSON; `undefined` when the key has none of this id
   */
  rotateSecret(request: WebhookRequest, secret: Buffer, overlapHours: number): Promise<string | undefined> {
    return this.ofKey(request.keyId, async ({ manager }) => {
      const locked = await lock(manager, request);
      if (locked === undefined) return undefined;
      await manager.query(END_OLDER_SECRETS, [request.id, overlapHours]);
      await manager.query(LIMIT_CURRENT_SECRET, [request.id, overlapHours]);
      await manager.query(ADD_SECRET, [request.id, secret]);
      return locked.json;
    });
  }

  private ofKey<T>(keyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work, { serialize: `webhooks of ${keyId}` });
  }
}

/** The URLs of a key, to which no other transaction adds one until the end of this one. */
async function lockUrls(manager: EntityManager, keyId: string): Promise<readonly string[]> {
  await manager.query(LOCK_KEY, [keyId]);
  const rows = await manager.query<{ url: string }[]>(URLS_OF_KEY, [keyId]);
  return rows.map(({ url }) => url);
}

function requireFree(url: string, urls: readonly string[]): void {
  if (urls.includes(url)) throw new WebhookUrlTakenError('Another webhook of this key has this URL.');
}

async function lock(
  manager: EntityManager,
  { id, keyId }: WebhookRequest,
): Promise<LockedWebhook | undefined> {
  const [row] = await manager.query<WebhookRow[]>(LOCK, [id, keyId]);
  if (row === undefined) return undefined;
  const { json, ...columns } = row;
  return { webhook: withoutNulls(columns), json };
}
