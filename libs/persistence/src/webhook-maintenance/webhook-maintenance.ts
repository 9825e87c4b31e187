/** An endpoint, for operators. Ids and numbers that may be large are decimal digits. */
export interface WebhookOverview {
  readonly id: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly url: string;
  readonly status: 'enabled' | 'disabled';
  /** `undefined` also when it was disabled by hand. */
  readonly disabledReason?: 'failing' | 'gone';
  /** RFC 3339. */
  readonly failingSince?: string;
  readonly createdAt: string;
  /** Deliveries that are pending, counted up to {@link MOST_COUNTED}. */
  readonly pending: number;
}

export interface WebhookDetails extends WebhookOverview {
  readonly types?: readonly string[];
  readonly description?: string;
  /** Secrets that deliveries are signed with. */
  readonly secrets: number;
  /** Deliveries by status, each counted up to {@link MOST_COUNTED}. */
  readonly deliveries: Readonly<Record<string, number>>;
  /** The newest ones first, as the API shows them. */
  readonly lastDeliveries: readonly DeliveryOverview[];
}

export interface DeliveryOverview {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastAttemptAt?: string;
  readonly responseStatus?: number;
  readonly error?: string;
}

export interface WebhookFilter {
  readonly keyId?: string | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/** More than these are counted as these. */
export const MOST_COUNTED = 1_000;
/** Endpoints that a list shows. */
export const MOST_LISTED = 1_000;

/** What operators do about the endpoints of all keys, while the service runs. */
export interface WebhookMaintenance {
  /** Newest first, {@link MOST_LISTED} at the most. */
  list(filter: WebhookFilter): Promise<readonly WebhookOverview[]>;
  /** @throws {UnknownWebhookError} */
  show(id: string): Promise<WebhookDetails>;
  /**
   * Nothing is delivered any more until the owner enables it again.
   *
   * @returns whether it was enabled
   * @throws {UnknownWebhookError}
   */
  disable(id: string): Promise<boolean>;
}

/** There is no endpoint with this id. */
export class UnknownWebhookError extends Error {
  override readonly name = 'UnknownWebhookError';

  constructor(id: string) {
    super(`There is no webhook ${id}.`);
  }
}
