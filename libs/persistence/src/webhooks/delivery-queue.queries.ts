import { INT64_MAX } from '@petstore/pet-domain';
import { FAILING_AFTER_MINUTES, GIVE_UP_AFTER, MAX_ATTEMPTS, type PriorityClass } from '@petstore/webhook';
import { isVisible } from '../events/visibility.js';
import { instant } from '../sql/json.js';
import { KEY_MAY_RECEIVE } from './delivery.repository.js';

/*
 * The queue of deliveries. Times are those of the database's clock.
 *
 * An endpoint that hangs must not delay others, however many do. So `webhooks.health` says how fast the last attempts were:
 * NULL before the first, one more for each that ends within a second, up to 16, a quarter after one that takes longer. It
 * makes three priority classes, each with its own share of what a process attempts: fast ones (health > 0) 64 deliveries, new
 * ones 32, slow ones (0) 32; four of one endpoint, one of a new one (`SHARES` in
 * libs/webhook/src/delivery/webhook-deliverer.ts). Claims share their room among fast endpoints: a third of it goes to those
 * with the fewest attempts under way (what has waited longest would be that of the longest queue), a third to those that have
 * been fast for longest, and a third to those with nothing older waiting: many that were fast and begin to hang do not delay
 * those that remain fast.
 *
 * A claim walks through the endpoints of a class and through the index of what is pending at the same time, so that neither
 * endpoints of other classes nor a dead endpoint's deliveries are passed. Fast and slow endpoints are read around a random
 * id, a bounded number of them; new ones from both ends, so that the last of thousands waits for none of them.
 *
 * Measured on a busy machine with 10,000 endpoints that hang, 100 pending deliveries each: a claim of slow endpoints takes 44
 * to 73 ms, one of new endpoints 66 to 151 ms, a look at the backlog 0.13 to 0.26 s, and a fast or a new endpoint is attempted
 * within seconds (test/hanging-endpoints.spec.ts). Tried instead: to take what has been due for longest is much cheaper, and
 * serves the longest queue first, which is that of a dead endpoint; to look at every endpoint costs more with more endpoints.
 */

/**
 * SQL: whether a delivery that is found by its id is pending. In a form in which the planner does not know the condition
 * of the indexes of what is pending: it would look the id up there, by reading all of them.
 */
const IS_PENDING = `status || '' = 'pending'`;

interface WalkedClass {
  /** SQL: which endpoints are in it; each has a partial index. */
  readonly endpoints: string;
  /** SQL: from which endpoint on it is walked up, and from which one down. */
  readonly from: string;
  /** Endpoints with something due that are looked at in one direction, and all that are passed, at the most. */
  readonly found: number;
  readonly steps: number;
}

const ANY_PLACE = `select place as up, place - 1 as down
    from (select (random() * (select max(id) from webhooks))::bigint as place) any_place`;

const BOTH_ENDS = `select 1 as up, ${INT64_MAX} as down`;

const CLASSES: Readonly<Record<PriorityClass, WalkedClass>> = {
  fast: { endpoints: 'health > 0', from: ANY_PLACE, found: 512, steps: 2_000 },
  new: { endpoints: 'health is null', from: BOTH_ENDS, found: 32, steps: 2_000 },
  slow: { endpoints: 'health = 0', from: ANY_PLACE, found: 32, steps: 500 },
};

/**
 * SQL: a walk through the endpoints of a class that have something pending. Each step goes to the next endpoint of the class,
 * `at`, and the next one with something pending, `pending`, by one index each; where both agree is an endpoint of both.
 */
function walk(direction: 'up' | 'down', { endpoints, steps }: WalkedClass): string {
  const [from, order, start, next] =
    direction === 'up'
      ? ['>=', 'asc', 'start.up', 'greatest(walked.at + 1, walked.pending)']
      : ['<=', 'desc', 'start.down', 'least(walked.at - 1, walked.pending)'];
  const step = (place: string): string => `
        lateral (select id, health from webhooks where ${endpoints} and id ${from} ${place} order by id ${order} limit 1) w
        left join lateral (
          select webhook_id from webhook_deliveries where status = 'pending' and webhook_id ${from} w.id
          order by webhook_id ${order}, next_attempt_at ${order}, id ${order} limit 1) p on true`;
  return `
    ${direction} (at, health, pending, steps) as (
      select w.id, w.health, p.webhook_id, 1 from start, ${step(start)}
      union all
      select w.id, w.health, p.webhook_id, walked.steps + 1
      from ${direction} walked, ${step(next)}
      where walked.pending is not null and walked.steps < ${steps}
    )`;
}

/** SQL: the first endpoints of a walk with something due that may be claimed. */
const foundBy = (direction: 'up' | 'down', { found }: WalkedClass): string => `
      (select endpoint.*, row_number() over () as place
       from (
         select webhook_id, health, held, $4::int - held as free
         from (
           select at as webhook_id, health,
             coalesce(($3::int[])[array_position($2::bigint[], at)], 0) as held
           from ${direction} where at = pending) walked) endpoint
       where free > 0 and (
         select next_attempt_at from webhook_deliveries where status = 'pending' and webhook_id >= endpoint.webhook_id
         order by webhook_id, next_attempt_at, id limit 1) <= now()
       limit ${found})`;

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
 * Claims due deliveries of a class's endpoints and counts an attempt. The moved `next_attempt_at` is the lease: no
 * worker claims the delivery before it, and any worker may after it.
 *
 * Every table is read by a key that is known by then, row by row, so that no plan, not even one made for an empty
 * table, begins with all that is pending. What is pending of an endpoint is said as a range over all endpoints: with an equality
 * the planner may walk the index of times, and throw away what is due of others. What is due comes first in it.
 *
 * `status` is NULL, or the state of a delivery that is not attempted any more; `endsAll`: and of all others of its
 * endpoint.
 *
 * $1 lease in milliseconds, $2 endpoints of which this worker holds deliveries, $3 how many, $4 most of one endpoint, $5 most
 * of all
 */
const claim = (name: PriorityClass): string => `
    with recursive start as materialized (${CLASSES[name].from}), ${walk('up', CLASSES[name])}, ${walk('down', CLASSES[name])},
    endpoint as materialized (
      select webhook_id, held, free, health, ${name === 'new' ? 'min(place)' : '0'} as place
      from (${foundBy('up', CLASSES[name])} union all ${foundBy('down', CLASSES[name])}) found
      group by webhook_id, held, free, health
    ), due as materialized (
      select one.id,
        row_number() over (order by held + nth, place, next_attempt_at, id) as by_wait,
        row_number() over (order by health desc, held + nth, place, next_attempt_at, id) as by_health,
        row_number() over (order by held + nth, place, next_attempt_at desc, id) as by_age
      from endpoint, lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at, id) as nth
        from (
          select id, next_attempt_at from webhook_deliveries
          where status = 'pending' and (webhook_id, next_attempt_at) >= (endpoint.webhook_id, '-infinity')
            and webhook_id <= endpoint.webhook_id
          order by webhook_id, next_attempt_at, id limit endpoint.free) first
        where next_attempt_at <= now()
      ) one
    ), locked as materialized (
      select one.* from (select id from due order by least(by_wait, by_health, by_age), random() limit $5::int) due, lateral (
        select id, last_attempt_at from webhook_deliveries
        where id = due.id and ${IS_PENDING} and next_attempt_at <= now() for update skip locked
      ) one
    ), claimed as materialized (
      update webhook_deliveries d
      set next_attempt_at = now() + $1::float8 * interval '1 millisecond', attempts = attempts + 1, last_attempt_at = now()
      from locked where d.id = locked.id
      returning d.id, d.webhook_id, d.position, d.type, d.attempts, d.created_at, locked.last_attempt_at::text as attempted_before
    ), read as (
      select claimed.*, w.url, w.key_id is not null and (w.status = 'enabled' or claimed.position is null) as is_enabled,
        coalesce(${KEY_MAY_RECEIVE}, false) as may_receive, coalesce(${IS_VISIBLE}, false) as is_visible,
        case when claimed.position is null then ${TEST_BODY} else e.json end as body,
        (select array_agg(sealed order by id desc) from webhook_secrets s
         where s.webhook_id = w.id and (s.valid_until is null or s.valid_until > now())) as secrets
      from claimed
        left join lateral (select * from webhooks where id = claimed.webhook_id limit 1) w on true
        left join lateral (select * from api_keys where id = w.key_id limit 1) k on true
        left join lateral (select * from events where position = claimed.position limit 1) e on true
    )
    select id, webhook_id as "webhookId", '${name}' as "priorityClass", coalesce('evt_' || position, 'evt_test_' || id) as "messageId",
      position is null as "isTest", attempts as attempt, attempted_before as "attemptedBefore", url,
      coalesce(secrets, '{}') as "sealedSecrets", body,
      case when not is_enabled then 'failed'
        when not may_receive then 'dropped'
        when body is null or attempts > case when position is null then 1 else ${MAX_ATTEMPTS} end then 'failed'
        when not is_visible then 'dropped' end as status,
      not (is_enabled and may_receive) as "endsAll"
    from read order by id`;

/** The statement of each class. */
export const CLAIM: Readonly<Record<PriorityClass, string>> = {
  fast: claim('fast'),
  new: claim('new'),
  slow: claim('slow'),
};

/** SQL: the value of a row in one of the arrays beside that of the ids. To join them would compare each with each. */
const given = (array: string, row = 'd'): string => `(${array})[array_position($1::bigint[], ${row}.id)]`;

/**
 * Undoes claims, which were no attempts: $1 ids, $2 attempts, $3 when the attempt before began, $4 state, $5 milliseconds
 * until they are due, NULL for never.
 */
export const RELEASE = `
    update webhook_deliveries d
    set attempts = d.attempts - 1, last_attempt_at = ${given('$3::timestamptz[]')}, status = $4,
      next_attempt_at = now() + $5::float8 * interval '1 millisecond'
    where d.id = any ($1::bigint[]) and d.${IS_PENDING} and d.attempts = ${given('$2::int[]')}`;

/** Largest `health`: fast attempts in a row. */
const MAX_HEALTH = 16;

/**
 * Updates endpoints after attempts. A success ends their failures; otherwise failures are counted and may disable them,
 * as does a 410. Endpoints are locked in the order of their ids: two workers could deadlock. Returns the endpoints that
 * have begun to fail, are well again, or are disabled.
 *
 * $1 ids, $2 failed attempts, $3 whether one has succeeded, $4 whether one got a 410, all without tests; $5 fast
 * attempts, $6 whether one was slow
 */
export const ACKNOWLEDGE_ENDPOINTS = `
    with locked as materialized (
      select w.id, w.failing_since is not null as was_failing, ${given('$3::boolean[]', 'w')} as is_alive,
        ${given('$4::boolean[]', 'w')} as is_gone,
        w.status = 'enabled' and (${given('$2::int[]', 'w')} > 0 or ${given('$3::boolean[]', 'w')} or ${given('$4::boolean[]', 'w')})
          as is_judged,
        coalesce(failing_since, now()) as since,
        case when failing_since is null then 0 else failed_attempts end + ${given('$2::int[]', 'w')} as failed,
        case when ${given('$6::boolean[]', 'w')} then coalesce(health, 0) / 4
          else least(coalesce(health, 0) + ${given('$5::int[]', 'w')}, ${MAX_HEALTH}) end as new_health
      from webhooks w
      where w.id = any ($1::bigint[])
        and (health is distinct from ${MAX_HEALTH} or ${given('$6::boolean[]', 'w')} or w.status = 'enabled'
          and (w.failing_since is not null or ${given('$2::int[]', 'w')} > 0 or ${given('$4::boolean[]', 'w')}))
      order by w.id for no key update
    ), judged as (
      select id, was_failing, since, failed, new_health, is_judged, is_alive and not is_gone as is_alive,
        case when not is_judged then null when is_gone then 'gone'
          when not is_alive and failed >= ${GIVE_UP_AFTER.failedAttempts}
            and since <= now() - ${GIVE_UP_AFTER.failingMs} * interval '1 millisecond' then 'failing' end as reason
      from locked
    ), updated as (
      update webhooks w
      set health = new_health,
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
    from updated where reason is not null or is_failing <> was_failing order by id`;

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
      select from webhook_deliveries where status = 'pending' and next_attempt_at <= now() limit 100000) due)::int as due,
    (select count(*) from webhooks
      where status = 'enabled' and failing_since < now() - interval '${FAILING_AFTER_MINUTES} minutes')::int as "failingEndpoints",
    (select greatest(0, coalesce(extract(epoch from now() - min(oldest.created_at)), 0))
      from webhooks w, lateral (
        select created_at from webhook_deliveries where webhook_id = w.id and status = 'pending' order by id limit 1) oldest
      where w.status = 'enabled')::float8 as "oldestSeconds"`;
