import { FAILING_AFTER_MINUTES, GIVE_UP_AFTER } from '@petstore/webhook';

/**
 * SQL: whether a delivery that is found by its id is pending. In a form in which the planner does not know the condition
 * of the indexes of what is pending: it would look the id up there, by reading all of them.
 */
export const IS_PENDING = `status || '' = 'pending'`;

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
 * Settles pending deliveries of endpoints, except the tests of disabled ones, which are sent. $1 ids, $2 state, $3
 * whether only those that are due and not under way.
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
 * Most pending deliveries that a change of an endpoint settles itself. Those beyond are settled when they are due:
 * nothing is sent to an endpoint that is disabled or removed.
 */
const MAX_SETTLED = 10_000;

/**
 * SQL: locks the pending deliveries of the endpoint $1 that meet a condition, in the order of their ids, as the statements
 * do that settle attempts and give deliveries back: transactions with different orders could deadlock.
 */
const lockedPending = (condition: string): string => `
  select id from webhook_deliveries
  where id = any (array(
    select id from webhook_deliveries where webhook_id = $1 and status = 'pending' and ${condition} limit ${MAX_SETTLED}
  )) and ${IS_PENDING}
  order by id for update`;

/** Fails the pending deliveries of an endpoint except tests, which a disabled endpoint gets, too. $1 endpoint. */
export const FAIL_PENDING = `update webhook_deliveries set status = 'failed', next_attempt_at = null
    where id = any (array(${lockedPending('position is not null')}))`;

/** $1 endpoint. */
export const REMOVE_PENDING = `delete from webhook_deliveries where id = any (array(${lockedPending('true')}))`;

/** Largest `pace`: fast attempts in a row. */
const MAX_PACE = 16;

/**
 * Updates endpoints after attempts. A success ends their failures; otherwise failures are counted and may disable them,
 * as does a 410. A time written by a wrong clock does not count. `pace` grows by one with each fast attempt, and drops
 * to a quarter with a slow one. Endpoints are locked in the order of their ids: two workers could deadlock. Returns the
 * endpoints that have begun to fail, are well again, or are disabled.
 *
 * $1 ids, $2 failed attempts, $3 whether one has succeeded, $4 whether one got a 410, all without tests; $5 fast
 * attempts, $6 whether one was slow
 */
export const SETTLE_ENDPOINTS = `
    with locked as materialized (
      select w.id, w.failing_since is not null as was_failing, ${given('$3::boolean[]', 'w')} as is_alive, ${given('$4::boolean[]', 'w')} as is_gone,
        w.status = 'enabled' and (${given('$2::int[]', 'w')} > 0 or ${given('$3::boolean[]', 'w')} or ${given('$4::boolean[]', 'w')})
          as is_judged,
        least(coalesce(failing_since, now()), now()) as since,
        case when failing_since is null then 0 else failed_attempts end + ${given('$2::int[]', 'w')} as failed,
        case when ${given('$6::boolean[]', 'w')} then coalesce(pace, 0) / 4
          else least(coalesce(pace, 0) + ${given('$5::int[]', 'w')}, ${MAX_PACE}) end as new_pace
      from webhooks w
      where w.id = any ($1::bigint[])
        and (pace is distinct from ${MAX_PACE} or ${given('$6::boolean[]', 'w')} or w.status = 'enabled'
          and (w.failing_since is not null or ${given('$2::int[]', 'w')} > 0 or ${given('$4::boolean[]', 'w')}))
      order by w.id for no key update
    ), judged as (
      select id, was_failing, since, failed, new_pace, is_judged, is_alive and not is_gone as is_alive,
        case when not is_judged then null when is_gone then 'gone'
          when not is_alive and failed >= ${GIVE_UP_AFTER.failedAttempts}
            and since <= now() - ${GIVE_UP_AFTER.failingMs} * interval '1 millisecond' then 'failing' end as reason
      from locked
    ), settled as (
      update webhooks w
      set pace = new_pace,
        failing_since = case when not is_judged then failing_since when not is_alive then since end,
        failed_attempts = case when not is_judged then failed_attempts when is_alive then 0 else failed end,
        status = case when reason is null then status else 'disabled' end,
        disabled_reason = coalesce(reason, disabled_reason),
        updated_at = case when reason is null then updated_at else now() end
      from judged where w.id = judged.id
      returning w.id, reason, was_failing, failing_since is not null as is_failing
    )
    select id as "webhookId", reason,
      case when reason is not null then 'disabled' when is_failing then 'failing' else 'well' end as change
    from settled where reason is not null or is_failing <> was_failing order by id`;

/**
 * Stores the outcomes of attempts. Ignores those whose delivery has been settled or claimed by another worker since,
 * except a success while it is pending.
 *
 * $1 ids, $2 attempts, $3 states, $4 milliseconds to the next attempt or NULL, $5 response statuses, $6 errors
 */
export const SETTLE = `
    update webhook_deliveries d
    set status = ${given('$3::text[]')}, response_status = ${given('$5::int[]')}, error = ${given('$6::text[]')},
      next_attempt_at = now() + ${given('$4::float8[]')} * interval '1 millisecond'
    where d.id = any ($1::bigint[]) and d.${IS_PENDING}
      and (d.attempts = ${given('$2::int[]')} or ${given('$3::text[]')} = 'delivered')`;

/**
 * A {@link DeliveryBacklog}. Of each endpoint the oldest pending delivery is one entry of an index: 10,000 endpoints
 * with a million pending deliveries take 0.15 s.
 */
export const BACKLOG = `select
    (select count(*) from (
      select from webhook_deliveries where status = 'pending' and next_attempt_at <= now() limit 100000) due)::int as due,
    (select count(*) from webhooks
      where status = 'enabled' and failing_since < now() - interval '${FAILING_AFTER_MINUTES} minutes')::int as "failingEndpoints",
    (select greatest(0, coalesce(extract(epoch from now() - min(oldest.created_at)), 0))
      from webhooks w, lateral (
        select created_at from webhook_deliveries where webhook_id = w.id and status = 'pending' order by id limit 1) oldest
      where w.status = 'enabled')::float8 as "oldestSeconds"`;
