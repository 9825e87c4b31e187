import { type FreeText, int64, type Int64Id, stringEnum, titled } from '@petstore/pet-domain';
import { WebhookDisabledError, WebhookLimitReachedError, WebhookUrlTakenError } from './webhook.errors.js';
import type { WebhookUrl } from './webhook-url.js';

/** Id of a webhook endpoint. A later one has a greater one. */
export type WebhookId = Int64Id<'WebhookId'>;
export const WebhookId = int64<WebhookId>();

/** Whether events are delivered to an endpoint. */
export const WebhookStatus = titled('WebhookStatus', stringEnum('enabled', 'disabled'));

export type WebhookStatus = (typeof WebhookStatus.ALL)[number];

/** Most endpoints of one key. */
export const MAX_WEBHOOKS_PER_KEY = 10;

/** When an endpoint is disabled as failing: every attempt has failed for five days, and they were at least ten. */
const GIVE_UP_AFTER = { failingMs: 5 * 24 * 3_600 * 1_000, failedAttempts: 10 } as const;

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

/** What an attempt has shown of its endpoint. */
export interface AttemptResult {
  /** Where it was sent: the endpoint may have another URL by now. */
  readonly url: string;
  readonly isTest: boolean;
  readonly isDelivered: boolean;
  /** The endpoint says that it will never exist again. */
  readonly isGone: boolean;
  /** Whether it has taken long. */
  readonly isSlow: boolean;
}

/** What attempts have changed of an endpoint that is enabled. */
export interface EndpointChange {
  readonly webhookId: WebhookId;
  /** `failing`: an attempt has failed, and none had before. `well`: one has succeeded after such that had failed. */
  readonly change: 'failing' | 'well' | 'disabled';
  /** Why it was disabled. */
  readonly reason: 'failing' | 'gone' | null;
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
  /** Attempts that have failed since {@link failingSince}. Of the queue: read with {@link isSlow} for {@link judge} alone. */
  failedAttempts?: number;
  /** Whether its last attempt took longer than a second. */
  isSlow?: boolean;

  /**
   * One that is enabled; the store gives it its id.
   *
   * @param isUrlTaken whether another endpoint of the key has the URL
   * @param ofKey how many endpoints the key has
   * @throws {WebhookUrlTakenError | WebhookLimitReachedError}
   */
  static add(wanted: NewWebhook, isUrlTaken: boolean, ofKey: number): Webhook {
    if (isUrlTaken) throw new WebhookUrlTakenError();
    if (ofKey >= MAX_WEBHOOKS_PER_KEY) throw new WebhookLimitReachedError();
    return Object.assign(new Webhook(), wanted, { status: 'enabled' as const });
  }

  /** @throws {WebhookDisabledError} */
  requireEnabled(): void {
    if (this.status === 'disabled') throw new WebhookDisabledError();
  }

  /**
   * Changes the members of the patch (docs/contract.md, "Webhooks"). With another URL, or enabled again, it starts as a
   * new endpoint without failures.
   *
   * @param isUrlTaken whether another endpoint of the key has the URL
   * @throws {WebhookUrlTakenError}
   */
  patch(patch: WebhookPatch, isUrlTaken = false): void {
    const { url = this.url, types = this.types, description = this.description, status } = patch;
    const isMoved = url !== this.url;
    if (isMoved && isUrlTaken) throw new WebhookUrlTakenError();
    if (isMoved || (status === 'enabled' && this.status === 'disabled')) this.isSlow = false;
    if (isMoved || status === 'enabled') this.failingSince = null;
    if (status === 'enabled') this.disabledReason = null;
    Object.assign(this, { url, types, description, status: status ?? this.status });
  }

  /**
   * Takes note of attempts that have just ended; those of a URL that it has no more say nothing of it. Tests say nothing of an endpoint but how fast it is, nor does anything of one
   * that is disabled. A success ends its failures; otherwise they are counted and may disable it, as a 410 does.
   *
   * @param attempts in the order in which they have ended
   */
  judge(attempts: readonly AttemptResult[], now: Date): EndpointChange | undefined {
    const own = attempts.filter(({ url }) => url === this.url);
    const last = own.at(-1);
    if (last !== undefined) this.isSlow = last.isSlow;
    const counted = own.filter(({ isTest }) => !isTest);
    if (this.status === 'disabled' || counted.length === 0) return undefined;
    const isGone = counted.some((attempt) => attempt.isGone);
    const wasFailing = this.failingSince !== null;
    if (!isGone && counted.some(({ isDelivered }) => isDelivered)) {
      this.failingSince = null;
      return wasFailing ? { webhookId: this.id, change: 'well', reason: null } : undefined;
    }
    this.failedAttempts =
      (wasFailing ? (this.failedAttempts ?? 0) : 0) +
      counted.filter(({ isDelivered }) => !isDelivered).length;
    this.failingSince ??= now;
    const reason = isGone ? 'gone' : this.hasFailedForLong(now) ? 'failing' : null;
    if (reason !== null) Object.assign(this, { status: 'disabled', disabledReason: reason });
    else if (wasFailing) return undefined;
    return { webhookId: this.id, change: reason === null ? 'failing' : 'disabled', reason };
  }

  private hasFailedForLong(now: Date): boolean {
    const { failingMs, failedAttempts } = GIVE_UP_AFTER;
    const failingForMs = now.getTime() - (this.failingSince ?? now).getTime();
    return (this.failedAttempts ?? 0) >= failedAttempts && failingForMs >= failingMs;
  }
}

/** Names an endpoint of a key: those of other keys are not found. */
export interface WebhookRequest {
  readonly id: WebhookId;
  readonly keyId: string;
}
