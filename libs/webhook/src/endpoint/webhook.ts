import type { FreeText } from '@petstore/pet-domain';
import type { WebhookUrl } from './webhook-url.js';
import type { DisabledReason, WebhookStatus } from './webhook-status.js';

/** Most endpoints of one key. */
export const MAX_WEBHOOKS_PER_KEY = 10;

/** An endpoint that somebody asks for: enabled from the start. */
export interface NewWebhook {
  readonly url: WebhookUrl;
  /** Types and patterns of events; all that the key may see when left out. */
  readonly types?: readonly string[] | undefined;
  /** For people. */
  readonly description?: FreeText | undefined;
}

/** An endpoint, as far as rules look at it. */
export interface Webhook extends NewWebhook {
  readonly status: WebhookStatus;
  /** Only of one that the service disabled. */
  readonly disabledReason?: DisabledReason | undefined;
  /** Since when every attempt has failed, `undefined` when the last one has not. */
  readonly failingSince?: Date | undefined;
}

/** What is to become of an endpoint: what is left out stays as it is, `null` takes it away. */
export interface WebhookPatch {
  readonly url?: WebhookUrl | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly description?: FreeText | null | undefined;
  readonly status?: WebhookStatus | undefined;
}

/**
 * The endpoint after a change; `webhook` itself when nothing changes (docs/contract.md, "Webhooks").
 *
 * To enable it ends what the service held against it, and so does another URL: that one has not failed yet.
 */
export function patchWebhook(webhook: Webhook, patch: WebhookPatch): Webhook {
  const { url = webhook.url, status = webhook.status } = patch;
  const isForgiven = patch.status === 'enabled' || url !== webhook.url;
  const after: Webhook = {
    url,
    types: patched(webhook.types, patch.types),
    description: patched(webhook.description, patch.description),
    status,
    disabledReason: status === 'enabled' ? undefined : webhook.disabledReason,
    failingSince: isForgiven ? undefined : webhook.failingSince,
  };
  return isSame(webhook, after) ? webhook : after;
}

function patched<T>(before: T | undefined, wanted: T | null | undefined): T | undefined {
  return wanted === undefined ? before : (wanted ?? undefined);
}

function isSame(one: Webhook, other: Webhook): boolean {
  return (
    one.url === other.url &&
    one.types?.join() === other.types?.join() &&
    one.description === other.description &&
    one.status === other.status &&
    one.disabledReason === other.disabledReason &&
    one.failingSince === other.failingSince
  );
}
