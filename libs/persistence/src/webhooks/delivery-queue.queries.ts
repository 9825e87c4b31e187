import { GIVE_UP_AFTER, MAX_ATTEMPTS } from '@petstore/webhook';
import { isVisible } from '../events/visibility.js';
import { instant } from '../sql/json.js';
import { KEY_MAY_RECEIVE } from './delivery.repository.js';

/**
 * SQL: whether a delivery is due. No attempt is ever more than a day away: one that seems to be was written down by a
 * clock that was wrong, and would wait for years.
 */
const DUE = ['next_attempt_at <= now()', `next_attempt_at > now() + interval '25 hours'`] as const;

/**
 * SQL: whether a delivery that is found by its id is pending. In a form in which the planner does not know the condition
 * of the indexes of what is pending: it would look the id up there, by reading all of them.
 */
export const IS_PENDING = `status || '' = 'pending'`;

const IS_DUE = `${IS_PENDING} and (${DUE.join(' or ')})`;

/** SQL: the first deliveries of `endpoint` that are due under one of the conditions. */
const firstOf = (condition: string): string => `
      (select id, next_attempt_at from webhook_deliveries
       where status = 'pending' and webhook_id = endpoint.webhook_id and ${condition}
       order by next_attempt_at, id limit endpoint.free)`;

/** SQL: the bytes of a test (docs/contract.md, "Webhooks"). */
const TEST_BODY = `'{"id":' || claimed.id || ',"type":"' || claimed.type || '","timestamp":"' || ${instant('claimed.created_at')}
  || '","data":{"webhook":{"id":' || claimed.webhook_id || '}}}'`;

/** SQL: whether the key may read the event; a test is about nothing. */
const SEES = `(claimed.position is null or ${isVisible({
  resource: 'e.resource',
  audience: 'e.audience',
  keyId: 'w.key_id',
  scopes: 'k.scopes',
})})`;

/**
 * Takes what is due and counts an attempt. The moved time is the lease: no worker takes it until then, and any worker does
 * afterwards, whatever has become of the one that claimed it.
 *
 * Every table is entered by a key that is known by then, one row after the other: said so that no plan can begin with
 * all that is pending, also one that was made when that was nothing.
 *
 * Endpoints are found by steps through the index of what is pending: the work is a step for each endpoint with something
 * pending, however much that is, and the first few of each. Where not all can be taken, those come first whose endpoint
 * has the fewest here: what has waited longest would be that of the longest queue.
 *
 * `status` is NULL, or what becomes of a delivery that is not attempted any more; `endsAll`: and of all others of its
 * endpoint.
 *
 * $1 lease in milliseconds, $2 endpoints of which this worker holds deliveries, $3 how many, $4 slow endpoints, $5 most of
 * one endpoint, $6 of a slow one, $7 most of all that are not slow, $8 of all that are
 */
export const CLAIM = `
    with recursive step (webhook_id) as (
      (select webhook_id from webhook_deliveries where status = 'pending'
       order by webhook_id, next_attempt_at, id limit 1)
      union all
      select (
        select following.webhook_id from webhook_deliveries following
        where following.status = 'pending' and following.webhook_id > step.webhook_id
        order by following.webhook_id, following.next_attempt_at, following.id limit 1
      ) from step where step.webhook_id is not null
    ), endpoint as materialized (
      select webhook_id, held, is_slow, case when is_slow then $6::int else $5::int end - held as free
      from step, lateral (select coalesce(($3::int[])[array_position($2::bigint[], webhook_id)], 0) as held,
        webhook_id = any ($4::bigint[]) as is_slow) known
      where webhook_id is not null
    ), due as materialized (
      select one.id, endpoint.is_slow,
        row_number() over (partition by endpoint.is_slow order by endpoint.held + one.nth, one.next_attempt_at, one.id) as rank
      from endpoint, lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at, id) as nth
        from (${DUE.map(firstOf).join(' union all ')}) first
        order by next_attempt_at, id limit endpoint.free
      ) one
      where endpoint.free > 0
    ), locked as materialized (
      select one.* from due, lateral (
        select id, last_attempt_at from webhook_deliveries
        where id = due.id and ${IS_DUE} for update skip locked
      ) one
      where due.rank <= case when due.is_slow then $8::int else $7::int end
    ), claimed as materialized (
      update webhook_deliveries d
      set next_attempt_at = now() + $1::float8 * interval '1 millisecond', attempts = attempts + 1, last_attempt_at = now()
      from locked where d.id = locked.id
      returning d.id, d.webhook_id, d.position, d.type, d.attempts, d.created_at, locked.last_attempt_at::text as attempted_before
    ), read as (
      select claimed.*, w.url, w.key_id is not null and (w.status = 'enabled' or claimed.position is null) as is_enabled,
        coalesce(${KEY_MAY_RECEIVE}, false) as may_receive, coalesce(${SEES}, false) as sees,
        case when claimed.position is null then ${TEST_BODY} else e.json end as body,
        (select array_agg(sealed order by id desc) from webhook_secrets s
         where s.webhook_id = w.id and (s.valid_until is null or s.valid_until > now())) as secrets
      from claimed
        left join lateral (select * from webhooks where id = claimed.webhook_id limit 1) w on true
        left join lateral (select * from api_keys where id = w.key_id limit 1) k on true
        left join lateral (select * from events where position = claimed.position limit 1) e on true
    )
    select id, webhook_id as "webhookId", coalesce('evt_' || position, 'evt_test_' || id) as "messageId",
      position is null as "isTest", attempts as attempt, attempted_before as "attemptedBefore", url,
      coalesce(secrets, '{}') as "sealedSecrets", body,
      case when not is_enabled then 'failed'
        when not may_receive then 'dropped'
        when body is null or attempts > case when position is null then 1 else ${MAX_ATTEMPTS} end then 'failed'
        when not sees then 'dropped' end as status,
      not (is_enabled and may_receive) as "endsAll"
    from read order by id`;

/** SQL: the value of a row in one of the arrays beside that of the ids. To join them would compare each with each. */
const given = (array: string, row = 'd'): string => `(${array})[array_position($1::bigint[], ${row}.id)]`;

/**
 * Undoes claims, which were no attempts: $1 ids, $2 attempts, $3 when the attempt before began, $4 state, $5 milliseconds
 * until they are due, NULL for never.
 */
export const UNCLAIM = `
    update webhook_deliveries d
    set attempts = d.attempts - 1, last_attempt_at = ${given('$3::timestamptz[]')}, status = $4,
      next_attempt_at = now() + $5::float8 * interval '1 millisecond'
    where d.id = any ($1::bigint[]) and d.${IS_PENDING} and d.attempts = ${given('$2::int[]')}`;

/** Most deliveries that one statement settles because of their endpoint. */
const MAX_AT_ONCE = 5_000;

/**
 * Settles what is pending of endpoints: $1 ids, $2 state, $3 whether only what is due, not what is under way. Not the
 * tests of those that are disabled: these are sent all the same.
 */
export const SETTLE_PENDING = `
    update webhook_deliveries set status = $2, next_attempt_at = null
    where id = any (array(
      select id from webhook_deliveries
      where webhook_id = any ($1::bigint[]) and status = 'pending' and (position is not null or $2 = 'dropped')
        and (not $3::boolean or next_attempt_at <= now())
      limit ${MAX_AT_ONCE} for update skip locked
    ))
    returning 1`;

/**
 * What attempts say of their endpoints: one that has succeeded ends their failures; without one, the failures count, and
 * may disable them, as does a 410. A clock that was wrong does not count. The endpoints are locked in the order of their
 * ids: two workers that settle the same ones would wait for each other. Returned is what has been disabled.
 *
 * $1 ids, $2 how many attempts have failed, $3 whether one has succeeded, $4 whether one was answered 410
 */
export const SETTLE_ENDPOINTS = `
    with locked as materialized (
      select w.id, ${given('$3::boolean[]', 'w')} as is_alive, ${given('$4::boolean[]', 'w')} as is_gone,
        least(coalesce(failing_since, now()), now()) as since,
        case when failing_since is null then 0 else failed_attempts end + ${given('$2::int[]', 'w')} as failed
      from webhooks w
      where w.id = any ($1::bigint[]) and w.status = 'enabled'
        and (w.failing_since is not null or not ${given('$3::boolean[]', 'w')} or ${given('$4::boolean[]', 'w')})
      order by w.id for no key update
    ), judged as (
      select id, since, failed, is_alive and not is_gone as is_alive,
        case when is_gone then 'gone'
          when not is_alive and failed >= ${GIVE_UP_AFTER.failedAttempts}
            and since <= now() - ${GIVE_UP_AFTER.failingMs} * interval '1 millisecond' then 'failing' end as reason
      from locked
    ), settled as (
      update webhooks w
      set failing_since = case when not is_alive then since end, failed_attempts = case when is_alive then 0 else failed end,
        status = case when reason is null then status else 'disabled' end, disabled_reason = reason,
        updated_at = case when reason is null then updated_at else now() end
      from judged where w.id = judged.id
      returning w.id, reason
    )
    select id as "webhookId", reason from settled where reason is not null order by id`;

/**
 * What has come of attempts. Not if the delivery has been settled or claimed by others since, but that it was
 * delivered holds, whichever process has claimed it.
 *
 * $1 ids, $2 attempts, $3 states, $4 milliseconds to the next attempt or NULL, $5 response statuses, $6 errors
 */
export const SETTLE = `
    update webhook_deliveries d
    set status = ${given('$3::text[]')}, response_status = ${given('$5::int[]')}, error = ${given('$6::text[]')},
      next_attempt_at = now() + ${given('$4::float8[]')} * interval '1 millisecond'
    where d.id = any ($1::bigint[]) and d.${IS_PENDING}
      and (d.attempts = ${given('$2::int[]')} or ${given('$3::text[]')} = 'delivered')`;

/** How many are due, up to a bound. */
export const COUNT_DUE = `select count(*)::int as count from (
    select from webhook_deliveries where status = 'pending' and next_attempt_at <= now() limit 100000) due`;
