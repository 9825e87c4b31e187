import type { Statement } from '../fast-lane/statement.js';
import { WEBHOOK_JSON } from './webhook-json.js';

/** $1 key id, $2 most. */
export const LIST: Statement = {
  name: 'webhooks_list',
  text: `select id, ${WEBHOOK_JSON} from webhooks where key_id = $1 order by id desc limit $2`,
};

/** $1 id, $2 key id. */
export const FIND: Statement = {
  name: 'webhooks_find',
  text: `select id, ${WEBHOOK_JSON} from webhooks where id = $1 and key_id = $2`,
};

/** Those that give a URL to an endpoint of one key come one after the other, under the lock of the key's row. $1 key id. */
export const LOCK_KEY = 'select from api_keys where id = $1 for no key update';

/** $1 key id. */
export const URLS_OF_KEY = 'select url from webhooks where key_id = $1';

/** $1 key id, $2 URL, $3 types or NULL, $4 description or NULL */
export const ADD = `insert into webhooks (key_id, url, types, description, status)
  values ($1, $2, $3::text[], $4, 'enabled') returning id, ${WEBHOOK_JSON} as json`;

/** $1 endpoint, $2 sealed. */
export const ADD_SECRET = 'insert into webhook_secrets (webhook_id, sealed) values ($1, $2)';

/** Everything of an endpoint that rules look at, and its JSON: $1 id, $2 key id. */
export const LOCK = `select url, types, description, status, disabled_reason as "disabledReason",
    failing_since as "failingSince", ${WEBHOOK_JSON} as json
  from webhooks where id = $1 and key_id = $2 for no key update`;

/**
 * At another URL, or enabled again, it is new to the sender. $1 id, $2 URL, then types, description, status, reason and
 * since when it has been failing; those or NULL.
 */
export const CHANGE = `
  update webhooks set url = $2, types = $3::text[], description = $4, status = $5, disabled_reason = $6,
    failing_since = $7, pace = case when url = $2 and (status = 'enabled' or $5 = 'disabled') then pace end, updated_at = now()
  where id = $1 returning ${WEBHOOK_JSON} as json`;

/**
 * Detaches the endpoint from its key. There may be more deliveries than one statement can remove: those are removed in
 * the background (`webhook.retention.ts`). $1 id.
 */
export const REMOVE = `update webhooks set key_id = null, status = 'disabled', disabled_reason = null, updated_at = now() where id = $1`;

/** $1 endpoint. */
export const REMOVE_SECRETS = 'delete from webhook_secrets where webhook_id = $1';

/** Those before the current one; all of them when nothing is to overlap. $1 endpoint, $2 hours of overlap. */
export const END_OLDER_SECRETS = `delete from webhook_secrets
    where webhook_id = $1 and (valid_until is not null or $2::float8 = 0)`;

/** $1 endpoint, $2 hours for which it remains valid. */
export const LIMIT_CURRENT_SECRET = `update webhook_secrets set valid_until = now() + $2::float8 * interval '1 hour'
    where webhook_id = $1 and valid_until is null`;
