import type { WebhookId } from './webhook.js';

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

/** Names an endpoint of a key: those of other keys are not found. */
export interface WebhookRequest {
  readonly id: WebhookId;
  readonly keyId: string;
}

/** An endpoint as JSON. */
export interface StoredWebhook {
  readonly id: WebhookId;
  readonly json: string;
}
