import type { KeyId } from '@petstore/api-key';
import { INT64_MAX } from '@petstore/pet-domain';
import { type Delivery, DeliveryStatus, type ShownWebhook, type WebhookId } from '@petstore/webhook';
import { AuditEntrySchema } from '../api-keys/api-key.schema.js';
import { selected, withoutNulls } from '../sql/columns.js';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { PAGES } from './delivery.queries.js';
import { DeliveryRepository } from './delivery.repository.js';
import { WEBHOOK_COLUMNS } from './webhook.schema.js';
import { WebhookRepository } from './webhook.repository.js';

/** An endpoint, for operators. Ids are decimal digits. */
export interface WebhookOverview extends ShownWebhook {
  readonly keyId: string;
  readonly keyName: string;
  /** Deliveries that are pending, counted up to {@link MAX_COUNTED}. */
  readonly pending: number;
}

export interface WebhookDetails extends WebhookOverview {
  /** Secrets that deliveries are signed with. */
  readonly secrets: number;
  /** Deliveries by status, each counted up to {@link MAX_COUNTED}. */
  readonly deliveries: Readonly<Record<string, number>>;
  /** The newest ones first. */
  readonly lastDeliveries: readonly Delivery[];
}

export interface WebhookFilter {
  readonly keyId?: string | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/** Largest count of deliveries: more are counted as these. */
const MAX_COUNTED = 1_000;
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

/** Those of no key have been removed. */
const OVERVIEW = `${selected(WEBHOOK_COLUMNS)}, key_id as "keyId",
  (select name from api_keys where id = key_id) as "keyName"`;

/** $1 key id or NULL, $2 status or NULL. */
const LIST = `select ${OVERVIEW}, ${count('pending')}
    from webhooks w
    where key_id is not null and ($1::text is null or key_id = $1) and ($2::text is null or status = $2)
    order by id desc limit ${MAX_LISTED}`;

/** $1 id. */
const SHOW = `select ${OVERVIEW}, ${DeliveryStatus.ALL.map(count).join(', ')},
      (select count(*)::int from webhook_secrets
        where webhook_id = w.id and (valid_until is null or valid_until > now())) as secrets
    from webhooks w where key_id is not null and id = $1`;

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
    const values = [id, SHOWN_DELIVERIES, INT64_MAX, details.keyId];
    const lastDeliveries = await this.read<Delivery>(PAGES.all.text, values);
    return { ...details, deliveries: { pending: row.pending, delivered, failed, dropped }, lastDeliveries };
  }

  /**
   * Nothing is delivered any more until the owner enables it again. The audit of the webhook's key has who did it.
   *
   * @returns whether it was enabled
   * @throws {UnknownWebhookError}
   */
  disable(id: string, by: string): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const webhooks = tx.of(WebhookRepository);
      const webhook = await webhooks.lock({ id: id as WebhookId });
      if (webhook === undefined) throw new UnknownWebhookError(id);
      const wasEnabled = webhook.status === 'enabled';
      webhook.patch({ status: 'disabled' });
      await webhooks.update(webhook);
      await tx.of(DeliveryRepository).end([webhook.id], 'failed');
      if (wasEnabled)
        await tx.manager.insert(AuditEntrySchema, {
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
    const rows = await this.unitOfWork.read(({ manager }) => manager.query<Row[]>(statement, [...values]));
    return rows.map((row) => withoutNulls(row) as Row);
  }
}
