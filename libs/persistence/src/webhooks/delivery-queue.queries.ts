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

/** SQL: the first deliveries of the endpoint of `lane` that are due under one of the conditions. */
const firstOf = (condition: string): string => `
  (select id, next_attempt_at, row_number() over (order by next_attempt_at, id) as rank from (
     select id, next_attempt_at from webhook_deliveries
     where status = 'pending' and webhook_id = lane.webhook_id and ${condition}
     order by next_attempt_at, id limit lane.places
   ) due)`;

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
 * Takes what is due and counts an attempt. The moved time is the lease: no sender takes it until then, and any sender does
 * afterwards, whatever has become of the sender.
 *
 * Every table is entered by a key that is known by then, one row after the other: said so that no plan can begin with
 * all that is pending, also one that was made when that was nothing.
 *
 * Each endpoint has a lane in the index: the work is a step for each endpoint with something pending, however much
 * that is, and the first few of each lane. Where not all can be taken, those come first whose endpoint has least: what
 * has waited longest would be that of whoever has the longest queue.
 *
 * `chosen` is how many were to be taken, which may be more than were: there is always a row.
 *
 * $1 most, $2 lease in milliseconds, $3 JSON object of the places by endpoint, $4 places of each other one, $5 JSON object
 * of what is held by endpoint, $6 most of all others together
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
    ), lane as materialized (
      select webhook_id, coalesce(($3::jsonb ->> webhook_id::text)::bigint, $4::bigint) as places,
        coalesce(($5::jsonb ->> webhook_id::text)::bigint, 0) as held, not $3::jsonb ? webhook_id::text as is_other
      from step where webhook_id is not null
    ), candidate as materialized (
      select first.id, first.next_attempt_at, lane.held + first.rank as share, lane.is_other
      from lane, lateral (${DUE.map(firstOf).join(' union all ')}) first
    ), chosen as materialized (
      select id from (
        (select id, share, next_attempt_at from candidate where not is_other)
        union all
        (select id, share, next_attempt_at from candidate where is_other
         order by share, next_attempt_at, id limit $6::bigint)
      ) allowed
      order by share, next_attempt_at, id limit $1::bigint
    ), locked as materialized (
      select one.* from chosen, lateral (
        select id, last_attempt_at from webhook_deliveries
        where id = chosen.id and ${IS_DUE} for update skip locked
      ) one
    ), claimed as materialized (
      update webhook_deliveries d
      set next_attempt_at = now() + $2::float8 * interval '1 millisecond', attempts = attempts + 1, last_attempt_at = now()
      from locked where d.id = locked.id
      returning d.id, d.webhook_id, d.position, d.type, d.attempts, d.created_at, locked.last_attempt_at::text as attempted_before
    )
    select claimed.id, claimed.webhook_id as "webhookId", claimed.position, claimed.attempts,
      claimed.attempted_before as "attemptedBefore",
      w.url, w.key_id is not null and (w.status = 'enabled' or claimed.position is null) as "isEnabled",
      coalesce(${KEY_MAY_RECEIVE}, false) as "mayReceive", coalesce(${SEES}, false) as sees,
      case when claimed.position is null then ${TEST_BODY} else e.json end as body,
      (select array_agg(sealed order by id desc) from webhook_secrets s
       where s.webhook_id = w.id and (s.valid_until is null or s.valid_until > now())) as secrets,
      found.count::int as chosen
    from (select count(*) from chosen) found
      left join claimed on true
      left join lateral (select * from webhooks where id = claimed.webhook_id limit 1) w on true
      left join lateral (select * from api_keys where id = w.key_id limit 1) k on true
      left join lateral (select * from events where position = claimed.position limit 1) e on true
    order by claimed.id`;

/** SQL: the value of a delivery in one of the arrays beside that of the ids. To join them would compare each with each. */
const given = (array: string): string => `(${array})[array_position($1::bigint[], d.id)]`;

/**
 * Undoes claims: what is given back is due after $5 milliseconds, what is refused is settled, and neither was an
 * attempt. $1 ids, $2 attempts, $3 when the attempt before began, $4 states.
 */
export const UNCLAIM = `
    update webhook_deliveries d
    set attempts = d.attempts - 1, last_attempt_at = ${given('$3::timestamptz[]')}, status = ${given('$4::text[]')},
      next_attempt_at = case ${given('$4::text[]')} when 'pending' then now() + $5::float8 * interval '1 millisecond' end
    where d.id = any ($1::bigint[]) and d.${IS_PENDING} and d.attempts = ${given('$2::int[]')}`;

/** Most deliveries that one statement settles because of their endpoint. */
const MOST_AT_ONCE = 5_000;

/**
 * Settles what is pending of endpoints: $1 ids, $2 state. Not the tests of those that are disabled: these are sent all
 * the same.
 */
export const SETTLE_PENDING = `
    update webhook_deliveries set status = $2, next_attempt_at = null
    where id = any (array(
      select id from webhook_deliveries
      where webhook_id = any ($1::bigint[]) and status = 'pending' and (position is not null or $2 = 'dropped')
      limit ${MOST_AT_ONCE} for update skip locked
    ))
    returning 1`;

/**
 * Locks the endpoints that {@link FORGET_FAILURES} and {@link COUNT_FAILURES} change, in one order for both: two who
 * settle the same endpoints, of which one has failed for each, would wait for each other. $1 ids of the former, $2 ids
 * of the latter.
 */
export const LOCK_COUNTED = `select from webhooks where id = any ($1::bigint[]) and failing_since is not null or id = any ($2::bigint[])
    order by id for no key update`;

/**
 * Attempts to these endpoints have failed, and none has succeeded: $1 ids, $2 how many. For how many milliseconds each
 * has been failing, and in how many attempts. A clock that was wrong does not count.
 */
export const COUNT_FAILURES = `
    update webhooks w
    set failing_since = least(coalesce(failing_since, now()), now()),
      failed_attempts = failures + case when failing_since is null then 0 else failed_attempts end
    from (
      select id, failures from unnest($1::bigint[], $2::int[]) counted (id, failures) order by id
    ) counted
    where w.id = any ($1::bigint[]) and w.id = counted.id and w.status = 'enabled'
    returning w.id, (extract(epoch from now() - failing_since) * 1000)::float8 as "failingForMs",
      failed_attempts as "failedAttempts"`;

/** An attempt to each of these endpoints has succeeded: $1 ids. */
export const FORGET_FAILURES = `update webhooks set failing_since = null, failed_attempts = 0
    where id = any ($1::bigint[]) and failing_since is not null`;

/** $1 ids, $2 reasons. */
export const DISABLE = `
    update webhooks w set status = 'disabled', disabled_reason = disabled.reason, updated_at = now()
    from unnest($1::bigint[], $2::text[]) disabled (id, reason)
    where w.id = any ($1::bigint[]) and w.id = disabled.id and w.status = 'enabled'
    returning w.id`;

/**
 * What has come of attempts. Not if the delivery has been settled or claimed by others since, but that it was
 * delivered holds whoever has claimed it.
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
