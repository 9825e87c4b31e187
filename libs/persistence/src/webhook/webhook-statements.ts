import type { Statement } from '../pipeline/statement.js';
import { IS_PENDING } from './delivery-queue-statements.js';
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

/**
 * One after the other those who give a URL to an endpoint of one key: so their number is right, and two who exchange
 * the URLs of two endpoints do not wait for each other. $1 key id.
 */
export const TAKE_TURN: Statement = {
  name: 'webhooks_take_turn',
  text: `select pg_advisory_xact_lock(hashtextextended('webhooks of ' || $1, 0))`,
};

/**
 * Behind the turn, so that it sees what was added before: whether the key may have another endpoint, and the endpoint
 * if it was added. Where there was room and nothing was added, the URL is taken.
 *
 * $1 key id, $2 most endpoints of a key, $3 URL, $4 types or NULL, $5 description or NULL
 */
export const ADD: Statement = {
  name: 'webhooks_add',
  text: `
    with room (is_left) as materialized (select count(*) < $2::bigint from webhooks where key_id = $1), added as (
      insert into webhooks (key_id, url, types, description, status)
      select $1, $3, $4::text[], $5, 'enabled' from room where is_left
      on conflict (key_id, url) do nothing returning *
    )
    select (select is_left from room), exists (select from webhooks where key_id = $1 and url = $3),
      (select id from added), (select ${WEBHOOK_JSON} from added)`,
};

/** $1 endpoint, $2 sealed. */
export const ADD_SECRET: Statement = {
  name: 'webhooks_add_secret',
  text: 'insert into webhook_secrets (webhook_id, sealed) values ($1, $2)',
};

/** Everything of an endpoint that rules look at, and its JSON: $1 id, $2 key id. */
export const LOCK: Statement = {
  name: 'webhooks_lock',
  text: `select url, array_to_string(types, ','), description, status, disabled_reason, failing_since, ${WEBHOOK_JSON}
    from webhooks where id = $1 and key_id = $2 for no key update`,
};

/** $1 id, $2 URL, then types, description, status, reason and since when it has been failing; those or NULL. */
export const CHANGE: Statement = {
  name: 'webhooks_change',
  text: `update webhooks set url = $2, types = $3::text[], description = $4, status = $5, disabled_reason = $6,
      failing_since = $7::timestamptz, updated_at = now()
    where id = $1 returning ${WEBHOOK_JSON}`,
};

/**
 * Most pending deliveries that a change of an endpoint settles itself. Those beyond are settled when they are due:
 * nothing is sent to an endpoint that is disabled or removed.
 */
const MOST_SETTLED = 10_000;

/**
 * SQL: locks the pending deliveries of the endpoint $1 that meet a condition, in the order of their ids, as the statements
 * do that settle attempts and give deliveries back: transactions with different orders could deadlock.
 */
const lockedPending = (condition: string): string => `
  select id from webhook_deliveries
  where id = any (array(
    select id from webhook_deliveries where webhook_id = $1 and status = 'pending' and ${condition} limit ${MOST_SETTLED}
  )) and ${IS_PENDING}
  order by id for update`;

/** What was still to be delivered has failed, but for tests: a disabled endpoint gets them, too. $1 endpoint. */
export const FAIL_PENDING: Statement = {
  name: 'webhooks_fail_pending',
  text: `update webhook_deliveries set status = 'failed', next_attempt_at = null
    where id = any (array(${lockedPending('position is not null')}))`,
};

/** $1 endpoint. */
export const REMOVE_PENDING: Statement = {
  name: 'webhooks_remove_pending',
  text: `delete from webhook_deliveries where id = any (array(${lockedPending('true')}))`,
};

/**
 * Nobody's any more: there may be more deliveries than one statement can remove, they follow in the background
 * (`webhook.retention.ts`). $1 id.
 */
export const REMOVE: Statement = {
  name: 'webhooks_remove',
  text: `update webhooks set key_id = null, status = 'disabled', disabled_reason = null, updated_at = now() where id = $1`,
};

/** $1 endpoint. */
export const REMOVE_SECRETS: Statement = {
  name: 'webhooks_remove_secrets',
  text: 'delete from webhook_secrets where webhook_id = $1',
};

/** Those before the current one; all of them when nothing is to overlap. $1 endpoint, $2 hours of overlap. */
export const END_OLDER_SECRETS: Statement = {
  name: 'webhooks_end_older_secrets',
  text: `delete from webhook_secrets
    where webhook_id = $1 and (valid_until is not null or $2::float8 = 0)`,
};

/** $1 endpoint, $2 hours for which it remains valid. */
export const LIMIT_CURRENT_SECRET: Statement = {
  name: 'webhooks_limit_current_secret',
  text: `update webhook_secrets set valid_until = now() + $2::float8 * interval '1 hour'
    where webhook_id = $1 and valid_until is null`,
};

export const WEBHOOK_READS: readonly Statement[] = [LIST, FIND];
