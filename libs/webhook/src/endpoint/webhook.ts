import { type FreeText, int64, type Int64Id, stringEnum, titled } from '@petstore/pet-domain';
import type { WebhookUrl } from './webhook-url.js';

/** Id of a webhook endpoint. A later one has a greater one. */
export type WebhookId = Int64Id<'WebhookId'>;
export const WebhookId = int64<WebhookId>();

/** Whether events are delivered to an endpoint. */
export const WebhookStatus = titled('WebhookStatus', stringEnum('enabled', 'disabled'));

export type WebhookStatus = (typeof WebhookStatus.ALL)[number];

/** Most endpoints of one key. */
export const MAX_WEBHOOKS_PER_KEY = 10;

/** An endpoint that is asked for: enabled from the start. */
export interface NewWebhook {
  readonly keyId: string;
  readonly url: WebhookUrl;
  /** Types and patterns of events; all that the key may see when left out. */
  readonly types?: readonly string[] | undefined;
  /** For people. */
  readonly description?: FreeText | undefined;
}

/** What is to become of an endpoint: what is left out stays as it is, `null` takes it away. */
export interface WebhookPatch {
  readonly url?: WebhookUrl | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly description?: FreeText | null | undefined;
  readonly status?: WebhookStatus | undefined;
}

/** An endpoint that events are delivered to. */
export class Webhook {
  readonly id!: WebhookId;
  /** Whose it is; `null` once it was removed. */
  readonly keyId!: string | null;
  url!: WebhookUrl;
  /** Types and patterns of events; `null` for all that the key may see. */
  types!: readonly string[] | null;
  /** For people. */
  description!: FreeText | null;
  status!: WebhookStatus;
  /** Only of one that the service disabled: every attempt failed for days, or it responded 410. */
  disabledReason!: 'failing' | 'gone' | null;
  /** Since when every attempt has failed, `null` when the last one has not. */
  failingSince!: Date | null;
  readonly createdAt!: Date;
  readonly updatedAt!: Date;
  /** Whether its last attempt took longer than a second. Belongs to the queue: here it is only reset. */
  isSlow?: boolean;

  /** One that is enabled; the store gives it its id. */
  static create(wanted: NewWebhook): Webhook {
    return Object.assign(new Webhook(), wanted, { status: 'enabled' as const });
  }

  /**
   * Changes the members of the patch (docs/contract.md, "Webhooks"). With another URL, or enabled again, it starts as a
   * new endpoint without failures.
   */
  patch({ url = this.url, types = this.types, description = this.description, status }: WebhookPatch): void {
    const isMoved = url !== this.url;
    if (isMoved || (status === 'enabled' && this.status === 'disabled')) this.isSlow = false;
    if (isMoved || status === 'enabled') this.failingSince = null;
    if (status === 'enabled') this.disabledReason = null;
    Object.assign(this, { url, types, description, status: status ?? this.status });
  }
}

/** An endpoint as the API returns it. */
export function webhookJson(webhook: Webhook): string {
  const { id, url, types, description, status, disabledReason, failingSince, createdAt } = webhook;
  const members = { url, types, description, status, disabledReason, failingSince, createdAt };
  // The id is an int64, which `JSON.stringify` could only write as a string.
  return `{"id":${id},${JSON.stringify(members, (_, value: unknown) => value ?? undefined).slice(1)}`;
}

/** Names an endpoint of a key: those of other keys are not found. */
export interface WebhookRequest {
  readonly id: WebhookId;
  readonly keyId: string;
}
