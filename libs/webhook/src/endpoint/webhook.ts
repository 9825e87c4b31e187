import { type FreeText, isPositiveInt64 } from '@petstore/pet-domain';
import type { WebhookUrl } from './webhook-url.js';

declare const brand: unique symbol;

/** Id of a webhook endpoint, 1 to 2^63 - 1, as its decimal digits. A later one has a greater one. */
export type WebhookId = string & { readonly [brand]: 'WebhookId' };

export const WebhookId = {
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): WebhookId | undefined {
    return isPositiveInt64(text) ? (text as WebhookId) : undefined;
  },
} as const;

/** Whether events are delivered to an endpoint. */
const STATUSES = ['enabled', 'disabled'] as const;

export type WebhookStatus = (typeof STATUSES)[number];

export const WebhookStatus = {
  ALL: STATUSES,
  /** The status that `text` names, letter for letter, or `undefined`. */
  parse(text: string): WebhookStatus | undefined {
    return STATUSES.find((status) => status === text);
  },
} as const;

/** Most endpoints of one key. */
export const MAX_WEBHOOKS_PER_KEY = 10;

/** An endpoint that is asked for: enabled from the start. */
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
  /** Only of one that the service disabled: every attempt failed for days, or it responded 410. */
  readonly disabledReason?: 'failing' | 'gone' | undefined;
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
