import { DeliveryStatus } from '@petstore/webhook';
import { instant } from '../sql/json.js';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { FAIL_PENDING } from '../webhooks/webhook.queries.js';
import {
  MOST_COUNTED,
  MOST_LISTED,
  UnknownWebhookError,
  type WebhookDetails,
  type WebhookFilter,
  type WebhookMaintenance,
  type WebhookOverview,
} from './webhook-maintenance.js';

/** Deliveries that are shown of one endpoint. */
const SHOWN_DELIVERIES = 10;

/** SQL: how many deliveries of the endpoint `w` have a status, up to a bound. */
const count = (status: DeliveryStatus): string => `
  (select count(*) from (select from webhook_deliveries where webhook_id = w.id and status = '${status}'
    limit ${MOST_COUNTED}) counted)`;

const OVERVIEW = `'id', w.id::text, 'keyId', w.key_id, 'keyName', k.name, 'url', w.url, 'status', w.status,
  'disabledReason', w.disabled_reason, 'failingSince', ${instant('w.failing_since')}, 'createdAt', ${instant('w.created_at')},
  'pending', ${count('pending')}`;

/** $1 key id or NULL, $2 status or NULL. Those of no key have been removed. */
const LIST = `select json_strip_nulls(json_build_object(${OVERVIEW})) as json
    from webhooks w join api_keys k on k.id = w.key_id
    where ($1::text is null or w.key_id = $1) and ($2::text is null or w.status = $2)
    order by w.id desc limit ${MOST_LISTED}`;

/** SQL: the newest deliveries of the endpoint `w`; those of each status are read from one place in the index. */
const LAST = `
  select coalesce(json_agg(json_build_object('id', id::text, 'type', type, 'status', status, 'attempts', attempts,
    'lastAttemptAt', ${instant('last_attempt_at')}, 'responseStatus', response_status, 'error', error) order by id desc), '[]')
  from (
    select * from (${DeliveryStatus.ALL.map(
      (status) => `(select * from webhook_deliveries where webhook_id = w.id and status = '${status}'
        order by id desc limit ${SHOWN_DELIVERIES})`,
    ).join(' union all ')}) merged
    order by id desc limit ${SHOWN_DELIVERIES}
  ) newest`;

/** $1 id. */
const SHOW = `select json_strip_nulls(json_build_object(${OVERVIEW}, 'types', w.types, 'description', w.description,
      'secrets', (select count(*) from webhook_secrets
        where webhook_id = w.id and (valid_until is null or valid_until > now())),
      'deliveries', json_build_object(${DeliveryStatus.ALL.map((status) => `'${status}', ${count(status)}`).join(', ')}),
      'lastDeliveries', (${LAST}))) as json
    from webhooks w join api_keys k on k.id = w.key_id where w.id = $1`;

/** Whether the endpoint was enabled; no row when there is none. $1 id. */
const LOCK = `select status = 'enabled' as enabled from webhooks where id = $1 and key_id is not null for no key update`;

/** $1 id. */
const DISABLE = `update webhooks set status = 'disabled', updated_at = now() where id = $1 and status = 'enabled'`;

/** Each call is a transaction. */
export class PostgresWebhookMaintenance implements WebhookMaintenance {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list({ keyId, status }: WebhookFilter): Promise<readonly WebhookOverview[]> {
    return this.read<WebhookOverview>(LIST, [keyId ?? null, status ?? null]);
  }

  async show(id: string): Promise<WebhookDetails> {
    const [details] = await this.read<WebhookDetails>(SHOW, [id]);
    if (details === undefined) throw new UnknownWebhookError(id);
    return details;
  }

  disable(id: string): Promise<boolean> {
    return this.unitOfWork.run(async ({ manager }) => {
      const [webhook] = await manager.query<{ enabled: boolean }[]>(LOCK, [id]);
      if (webhook === undefined) throw new UnknownWebhookError(id);
      await manager.query(DISABLE, [id]);
      await manager.query(FAIL_PENDING, [id]);
      return webhook.enabled;
    });
  }

  private read<Row>(statement: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.unitOfWork.run(async ({ manager }) => {
      const rows = await manager.query<{ json: Row }[]>(statement, [...values]);
      return rows.map(({ json }) => json);
    });
  }
}
