import type { NewWebhook, Webhook } from './webhook.js';
import type { WebhookId } from './webhook-id.js';

/** A key has as many endpoints as it may. */
export class WebhookLimitReachedError extends Error {
  override readonly name = 'WebhookLimitReachedError';
}

/** Another endpoint of the key has the URL. */
export class WebhookUrlTakenError extends Error {
  override readonly name = 'WebhookUrlTakenError';
}

/** An endpoint is disabled, and nothing is sent to it. */
export class WebhookDisabledError extends Error {
  override readonly name = 'WebhookDisabledError';
}

/** Names an endpoint of a key: those of other keys are out of reach. */
export interface WebhookRequest {
  readonly id: WebhookId;
  readonly keyId: string;
}

/** An endpoint as JSON. */
export interface StoredWebhook {
  readonly id: WebhookId;
  readonly json: string;
}

/**
 * Where endpoints are kept. The domain owns this port; an adapter implements it. It is given secrets
 * sealed, and cannot open them. Every method rejects with `StoreUnavailableError` when the store cannot be reached.
 */
export interface WebhookStore {
  /** All endpoints of a key, newest first: a JSON array in UTF-8. */
  list(keyId: string): Promise<Uint8Array>;
  /** The endpoint as JSON in UTF-8; `undefined` when there is none within reach. */
  find(request: WebhookRequest): Promise<Uint8Array | undefined>;
  /**
   * @param secret that its deliveries are signed with, sealed
   * @throws {WebhookUrlTakenError}
   * @throws {WebhookLimitReachedError}
   */
  add(webhook: NewWebhook, keyId: string, secret: Buffer): Promise<StoredWebhook>;
  /**
   * Changes an endpoint as `change` says, one after the other. With one that is disabled, what was still to be delivered
   * has failed.
   *
   * @param change given the endpoint as it is and its JSON; returns the same endpoint to change nothing
   * @throws {WebhookUrlTakenError}
   * @returns the endpoint as it is afterwards, as JSON; `undefined` when there is none within reach
   */
  change(
    request: WebhookRequest,
    change: (current: Webhook, json: string) => Webhook,
  ): Promise<string | undefined>;
  /**
   * Removes an endpoint with its secrets and deliveries.
   *
   * @param check given its JSON; may throw
   * @returns whether there was one within reach
   */
  remove(request: WebhookRequest, check: (json: string) => void): Promise<boolean>;
  /**
   * Signs with a new secret from now on. Of the older ones only the last remains valid, for the overlap.
   *
   * @param secret sealed
   * @param overlapHours 0 ends all older ones at once
   * @returns the endpoint as JSON; `undefined` when there is none within reach
   */
  rotateSecret(request: WebhookRequest, secret: Buffer, overlapHours: number): Promise<string | undefined>;
}
