import { FAILING_AFTER_MINUTES, MAX_ATTEMPTS } from '@petstore/webhook';
import { isVisible } from '../events/visibility.js';
import { MAX_BACKLOG } from '../sql/backlog.js';
import { instant } from '../sql/json.js';
import { KEY_MAY_RECEIVE } from './delivery.queries.js';

/*
 * The queue of deliveries. Times are those of the database's clock.
 *
 * An endpoint that hangs must not delay others, however many do: those whose last attempt took longer than a second have one half
 * of what a process attempts, all others the other half, four attempts of one endpoint at the most. Thousands of new endpoints
 * that all hang at once may delay others for minutes: each of them gets its first attempt.
 *
 * A claim looks at one entry of the index of what is due for each endpoint, and reads more of those alone that it chooses. To take
 * what has been due for longest is cheaper, and serves the longest queue first, which is that of a dead endpoint.
 */

/**
 * SQL: whether a delivery that is found by its id is pending. In a form in which the planner does not know the condition
 * of the indexes of what is pending: it would look the id up there, by reading all of them.
 */
const IS_PENDING = `status || '' = 'pending'`;

/** SQL: what is pending of an endpoint, in the order in which it is due. */
function pendingOf(endpoint: string, columns: string, limit: string): string {
  return `select ${columns} from webhook_deliveries
          where status = 'pending' and webhook_id >= ${endpoint} and webhook_id <= ${endpoint}
          order by webhook_deliveries.webhook_id, webhook_deliveries.next_attempt_at, webhook_deliveries.id limit ${limit}`;
}

/** SQL: the bytes of a test (docs/contract.md, "Webhooks"). */
const TEST_BODY = `'{"id":' || claimed.id || ',"type":"' || claimed.type || '","timestamp":"' || ${instant('claimed.created_at')}
  || '","data":{"webhook":{"id":' || claimed.webhook_id || '}}}'`;

/** SQL: whether the key may read the event; a test is about nothing. */
const IS_VISIBLE = `(claimed.position is null or ${isVisible({
  resource: 'e.resource',
  audience: 'e.audience',
  keyId: 'w.key_id',
  scopes: 'k.scopes',
})})`;

/**
 * Claims due deliveries and counts an attempt. The moved `next_attempt_at` is the lease: no worker claims the delivery before it,
 * and any worker may after it.
 *
 * Every table is read by a key that is known by then, row by row, so that no plan, not even one made for an empty
 * table, begins with all that is pending. What is pending of an endpoint is said as a range over all endpoints: with an equality
 * the planner may walk the index of times, and throw away what is due of others. What is due comes first in it.
 *
 * `status` is NULL, or the state of a delivery that is not attempted any more; `endsAll`: and of all others of its
 * endpoint.
 *
 * $1 lease in milliseconds, $2 endpoints of which this worker holds deliveries, $3 how many, $4 most of one endpoint, $5 most
 * of fast endpoints, $6 most of slow ones
 */
export const CLAIM = `
    with endpoint as materialized (
      select webhook_id, is_slow, held, room,
        row_number() over (partition by is_slow order by held, next_attempt_at, webhook_id) as place
      from (
        select id as webhook_id, is_slow, case when is_slow then $6::int else $5::int end as room,
          coalesce(($3::int[])[array_position($2::bigint[], id)], 0) as held
        from webhooks
      ) every, lateral (${pendingOf('every.webhook_id', 'next_attempt_at', '1')}) first
      where next_attempt_at <= now() and held < $4::int and room > 0
    ), due as materialized (
      select one.id, room, row_number() over (partition by is_slow order by held + nth, next_attempt_at, id) as place
      from endpoint, lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at, id) as nth
        from (${pendingOf('endpoint.webhook_id', 'id, next_attempt_at', '$4::int - held')}) first
        where next_attempt_at <= now()
      ) one
      where endpoint.place <= room
    ), locked as materialized (
      select one.* from due, lateral (
        select id, last_attempt_at from webhook_deliveries
        where id = due.id and ${IS_PENDING} and next_attempt_at <= now() for update skip locked
      ) one
      where due.place <= room
    ), claimed as materialized (
      update webhook_deliveries d
      set next_attempt_at = now() + $1::float8 * interval '1 millisecond', attempts = attempts + 1, last_attempt_at = now()
      from locked where d.id = locked.id
      returning d.id, d.webhook_id, d.position, d.type, d.attempts, d.created_at, locked.last_attempt_at::text as attempted_before
    ), read as (
      select claimed.*, w.url, w.is_slow, w.key_id is not null and (w.status = 'enabled' or claimed.position is null) as is_enabled,
        coalesce(${KEY_MAY_RECEIVE}, false) as may_receive, coalesce(${IS_VISIBLE}, false) as is_visible,
        case when claimed.position is null then ${TEST_BODY} else e.json end as body,
        (select array_agg(sealed order by id desc) from webhook_secrets s
         where s.webhook_id = w.id and (s.valid_until is null or s.valid_until > now())) as secrets
      from claimed
        left join lateral (select * from webhooks where id = claimed.webhook_id limit 1) w on true
        left join lateral (select * from api_keys where id = w.key_id limit 1) k on true
        left join lateral (select * from events where position = claimed.position limit 1) e on true
    )
    select id, webhook_id as "webhookId", case when is_slow then 'slow' else 'fast' end as "priorityClass", coalesce('evt_' || position, 'evt_test_' || id) as "messageId",
      position is null as "isTest", attempts as attempt, attempted_before as "attemptedBefore", url,
      coalesce(secrets, '{}') as "sealedSecrets", body,
      case when not is_enabled then 'failed'
        when not may_receive then 'dropped'
        when body is null or attempts > case when position is null then 1 else ${MAX_ATTEMPTS} end then 'failed'
        when not is_visible then 'dropped' end as status,
      not (is_enabled and may_receive) as "endsAll"
    from read order by id`;

/** SQL: the value of a row in one of the arrays beside that of the ids. To join them would compare each with each. */
const given = (array: string): string => `(${array})[array_position($1::bigint[], d.id)]`;

/**
 * Undoes claims, which were no attempts: $1 ids, $2 attempts, $3 when the attempt before began, $4 state, $5 milliseconds
 * until they are due, NULL for never.
 */
export const RELEASE = `
    update webhook_deliveries d
    set attempts = d.attempts - 1, last_attempt_at = ${given('$3::timestamptz[]')}, status = $4,
      next_attempt_at = now() + $5::float8 * interval '1 millisecond'
    where d.id = any ($1::bigint[]) and d.${IS_PENDING} and d.attempts = ${given('$2::int[]')}`;

/**
 * Stores the outcomes of attempts. Ignores those whose delivery has been acknowledged or claimed by another worker since,
 * except a success while it is pending.
 *
 * $1 ids, $2 attempts, $3 states, $4 milliseconds to the next attempt or NULL, $5 response statuses, $6 errors
 */
export const ACKNOWLEDGE = `
    update webhook_deliveries d
    set status = ${given('$3::text[]')}, response_status = ${given('$5::int[]')}, error = ${given('$6::text[]')},
      next_attempt_at = now() + ${given('$4::float8[]')} * interval '1 millisecond'
    where d.id = any ($1::bigint[]) and d.${IS_PENDING}
      and (d.attempts = ${given('$2::int[]')} or ${given('$3::text[]')} = 'delivered')`;

/** A {@link DeliveryBacklog}. Of each endpoint the oldest pending delivery is one entry of an index. */
export const BACKLOG = `select
    (select count(*) from (
      select from webhook_deliveries where status = 'pending' and next_attempt_at <= now() limit ${MAX_BACKLOG}) due)::int as due,
    (select count(*) from webhooks
      where status = 'enabled' and failing_since < now() - interval '${FAILING_AFTER_MINUTES} minutes')::int as "failingEndpoints",
    (select greatest(0, coalesce(extract(epoch from now() - min(oldest.created_at)), 0))
      from webhooks w, lateral (
        select created_at from webhook_deliveries where webhook_id = w.id and status = 'pending' order by id limit 1) oldest
      where w.status = 'enabled')::float8 as "oldestSeconds"`;
