import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-kernel';
import { WebhookId, type WebhookRequest } from '@petstore/webhook';
import { WEBHOOK_ERRORS } from './webhook.errors.js';

/** The webhook that a path names, of the key of the caller. @throws {ApiError} `webhook_not_found` for what is no id */
export function webhookOf({ keyId }: Caller, text: string): WebhookRequest {
  return { id: required(WebhookId.parse(text)), keyId };
}

/** What there is of a webhook. @throws {ApiError} `webhook_not_found` when there is none within reach */
export function required<T>(found: T | undefined): T {
  if (found === undefined) throw new ApiError(WEBHOOK_ERRORS.webhook_not_found);
  return found;
}
