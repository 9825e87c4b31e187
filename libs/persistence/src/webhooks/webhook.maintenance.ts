import type { KeyId } from '@petstore/api-key';
import { type Delivery, deliveryJson, DeliveryStatus, Webhook, type WebhookId } from '@petstore/webhook';
import { IsNull, Not } from 'typeorm';
import { AuditEntrySchema } from '../api-keys/api-key.schema.js';
import { withoutNulls } from '../sql/columns.js';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { END, PAGES } from './delivery.queries.js';

/** An endpoint, for operators. Ids and numbers that may be large are decimal digits. */
export interface WebhookOverview {
  readonly id: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly url: string;
  readonly status: 'enabled' | 'disabled';
  /** `undefined` also when a client or an operator disabled it. */
  readonly disabledReason?: 'failing' | 'gone';
  readonly failingSince?: Date;
  readonly createdAt: Date;
  /** Deliveries that are pending, counted up to {@link MAX_COUNTED}. */
  readonly pending: number;
}

export interface WebhookDetails extends WebhookOverview {
  readonly types?: readonly string[];
  readonly description?: string;
  /** Secrets that deliveries are signed with. */
  readonly secrets: number;
  /** Deliveries by status, each counted up to {@link MAX_COUNTED}. */
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

/** Largest count of deliveries: more are counted as these. */
export const MAX_COUNTED = 1_000;
/** Endpoints that a list shows. */
const MAX_LISTED = 1_000;

/** There is no endpoint with this id. */
export class UnknownWebhookError extends Error {
  override readonly name = 'UnknownWebhookError';

  constructor(id: string) {
    super(`There is no webhook ${id}.`);
  }
}

/** Deliveries that are shown of one endpoint. */
const SHOWN_DELIVERIES = 10;

/** SQL: how many deliveries of the endpoint `w` have a status, up to a bound; the column is named as the status. */
const count = (status: DeliveryStatus): string => `
  (select count(*)::int from (select from webhook_deliveries where webhook_id = w.id and status = '${status}'
    limit ${MAX_COUNTED}) counted) as ${status}`;

const OVERVIEW = `w.id, w.key_id as "keyId", k.name as "keyName", w.url, w.status, w.disabled_reason as "disabledReason",
  w.failing_since as "failingSince", w.created_at as "createdAt"`;

/** $1 key id or NULL, $2 status or NULL. Those of no key have been removed. */
const LIST = `select ${OVERVIEW}, ${count('pending')}
    from webhooks w join api_keys k on k.id = w.key_id
    where ($1::text is null or w.key_id = $1) and ($2::text is null or w.status = $2)
    order by w.id desc limit ${MAX_LISTED}`;

/** $1 id. */
const SHOW = `select ${OVERVIEW}, w.types, w.description,
      (select count(*)::int from webhook_secrets
        where webhook_id = w.id and (valid_until is null or valid_until > now())) as secrets,
      ${DeliveryStatus.ALL.map(count).join(', ')}
    from webhooks w join api_keys k on k.id = w.key_id where w.id = $1`;

/** A row of the statement {@link SHOW}, without what is NULL. */
type ShownRow = Omit<WebhookDetails, 'deliveries' | 'lastDeliveries'> &
  Readonly<Record<DeliveryStatus, number>>;

/** Maintenance of the endpoints of all keys by operators, while the service runs. */
export class WebhookMaintenance {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Newest first, {@link MAX_LISTED} at the most. */
  list({ keyId, status }: WebhookFilter): Promise<readonly WebhookOverview[]> {
    return this.read<WebhookOverview>(LIST, [keyId ?? null, status ?? null]);
  }

  /** @throws {UnknownWebhookError} */
  async show(id: string): Promise<WebhookDetails> {
    const [row] = await this.read<ShownRow>(SHOW, [id]);
    if (row === undefined) throw new UnknownWebhookError(id);
    const { delivered, failed, dropped, ...details } = row;
    const rows = await this.read<Delivery>(PAGES.all.text, [id, SHOWN_DELIVERIES, END, details.keyId]);
    const lastDeliveries = rows.map((delivery) => {
      const shown = JSON.parse(deliveryJson(delivery)) as DeliveryOverview;
      return { ...shown, id: delivery.id };
    });
    return { ...details, deliveries: { pending: row.pending, delivered, failed, dropped }, lastDeliveries };
  }

  /**
   * Nothing is delivered any more until the owner enables it again. The audit of the webhook's key has who did it.
   *
   * @returns whether it was enabled
   * @throws {UnknownWebhookError}
   */
  disable(id: string, by: string): Promise<boolean> {
    return this.unitOfWork.run(async ({ manager, deliveries }) => {
      const webhook = await manager.findOne(Webhook, {
        where: { id: id as WebhookId, keyId: Not(IsNull()) },
        lock: { mode: 'for_no_key_update' },
      });
      if (webhook === null) throw new UnknownWebhookError(id);
      const wasEnabled = webhook.status === 'enabled';
      webhook.patch({ status: 'disabled' });
      await manager.save(webhook);
      await deliveries.end([webhook.id], 'failed');
      if (wasEnabled)
        await manager.insert(AuditEntrySchema, {
          keyId: webhook.keyId as KeyId,
          at: new Date(),
          action: 'updated',
          by,
          details: { webhook: `${id} disabled` },
        });
      return wasEnabled;
    });
  }

  private async read<Row extends object>(
    statement: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const rows = await this.unitOfWork.read((manager) => manager.query<Row[]>(statement, [...values]));
    return rows.map((row) => withoutNulls(row) as Row);
  }
}
