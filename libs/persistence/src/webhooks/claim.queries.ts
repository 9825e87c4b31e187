import { INT64_MAX } from '@petstore/pet-domain';
import { type DeliveryLane, MAX_ATTEMPTS } from '@petstore/webhook';
import { isVisible } from '../events/visibility.js';
import { instant } from '../sql/json.js';
import { IS_PENDING } from './settle.queries.js';
import { KEY_MAY_RECEIVE } from './delivery.repository.js';

/** SQL: no attempt is more than a day ahead; a later time was written by a wrong clock, and the delivery is due. */
const WRONG = `now() + interval '25 hours'`;

/**
 * SQL: the first deliveries of `endpoint` in a range of times. It is said as a range over all endpoints: with an equality
 * the planner may walk the index of times, and throw away what is due of others.
 */
const firstOf = (from: string, to: string): string => `
      (select id, next_attempt_at from webhook_deliveries
       where status = 'pending' and (webhook_id, next_attempt_at) >= (endpoint.webhook_id, ${from})
         and (webhook_id, next_attempt_at) <= (endpoint.webhook_id, ${to})
       order by webhook_id, next_attempt_at, id limit endpoint.free)`;

const FIRST_DUE = `${firstOf(`'-infinity'`, 'now()')} union all ${firstOf(WRONG, `'infinity'`)}`;

/** SQL: when the first or the last pending delivery of `endpoint`, which has one, is due. */
const edge = (from: '>=' | '<=', order: 'asc' | 'desc'): string => `
         (select next_attempt_at from webhook_deliveries where status = 'pending' and webhook_id ${from} endpoint.webhook_id
          order by webhook_id ${order}, next_attempt_at ${order}, id ${order} limit 1)`;

interface Lane {
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

/**
 * Fast and slow endpoints are read around a random id: thousands that hang share the attempts, and a claim costs no
 * more than when they are few. New ones are read from both ends: the last of thousands waits for none of them.
 */
const LANES: Readonly<Record<DeliveryLane, Lane>> = {
  fast: { endpoints: 'pace > 0', from: ANY_PLACE, found: 512, steps: 2_000 },
  new: { endpoints: 'pace is null', from: `select 1 as up, ${INT64_MAX} as down`, found: 32, steps: 2_000 },
  slow: { endpoints: 'pace = 0', from: ANY_PLACE, found: 32, steps: 500 },
};

/**
 * SQL: a walk through the endpoints of a lane that have something pending. Each step goes to the next endpoint of the lane,
 * `at`, and the next one with something pending, `pending`, by one index each; where both agree is an endpoint of both.
 * Endpoints of other lanes cost nothing, however many have something pending, nor do those with nothing pending.
 */
function walk(direction: 'up' | 'down', { endpoints, steps }: Lane): string {
  const [from, order, start, next] =
    direction === 'up'
      ? ['>=', 'asc', 'start.up', 'greatest(walked.at + 1, walked.pending)']
      : ['<=', 'desc', 'start.down', 'least(walked.at - 1, walked.pending)'];
  const step = (place: string): string => `
        lateral (select id, pace from webhooks where ${endpoints} and id ${from} ${place} order by id ${order} limit 1) w
        left join lateral (
          select webhook_id from webhook_deliveries where status = 'pending' and webhook_id ${from} w.id
          order by webhook_id ${order}, next_attempt_at ${order}, id ${order} limit 1) p on true`;
  return `
    ${direction} (at, pace, pending, steps) as (
      select w.id, w.pace, p.webhook_id, 1 from start, ${step(start)}
      union all
      select w.id, w.pace, p.webhook_id, walked.steps + 1
      from ${direction} walked, ${step(next)}
      where walked.pending is not null and walked.steps < ${steps}
    )`;
}

/** SQL: the first endpoints of a walk that something may be claimed for. */
const foundBy = (direction: 'up' | 'down', { found }: Lane): string => `
      (select endpoint.*, row_number() over () as place
       from (
         select webhook_id, pace, held,
           least($5::int, case when webhook_id = any ($4::bigint[]) then $6::int end) - held as free
         from (
           select at as webhook_id, pace,
             coalesce(($3::int[])[array_position($2::bigint[], at)], 0) as held
           from ${direction} where at = pending) walked) endpoint
       where free > 0 and (${edge('>=', 'asc')} <= now() or ${edge('<=', 'desc')} > ${WRONG})
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
 * Claims due deliveries of a lane's endpoints and counts an attempt. The moved `next_attempt_at` is the lease: no
 * worker claims the delivery before it, and any worker may after it.
 *
 * Every table is read by a key that is known by then, row by row, so that no plan, not even one made for an empty
 * table, begins with all that is pending.
 *
 * If more is due than can be claimed, a third goes to the endpoints with the fewest deliveries in this process: what
 * has waited longest would be that of the longest queue. A third each goes to those that have been fast for longest,
 * and to those with nothing older waiting: many that were fast and begin to hang do not delay those that remain fast.
 * `status` is NULL, or the state of a delivery that is not attempted any more; `endsAll`: and of all others of its
 * endpoint.
 *
 * $1 lease in milliseconds, $2 endpoints of which this worker holds deliveries, $3 how many, $4 those with an attempt
 * that takes long, $5 most of one endpoint, $6 most of one with an attempt that takes long, $7 most of all
 */
const claim = (name: DeliveryLane): string => `
    with recursive start as materialized (${LANES[name].from}), ${walk('up', LANES[name])}, ${walk('down', LANES[name])},
    endpoint as materialized (
      select webhook_id, held, free, pace, ${name === 'new' ? 'min(place)' : '0'} as place
      from (${foundBy('up', LANES[name])} union all ${foundBy('down', LANES[name])}) found
      group by webhook_id, held, free, pace
    ), due as materialized (
      select one.id,
        row_number() over (order by held + nth, place, next_attempt_at, id) as by_wait,
        row_number() over (order by pace desc, held + nth, place, next_attempt_at, id) as by_pace,
        row_number() over (order by held + nth, place, next_attempt_at desc, id) as by_age
      from endpoint, lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at, id) as nth
        from (${FIRST_DUE}) first
        order by next_attempt_at, id limit endpoint.free
      ) one
    ), locked as materialized (
      select one.* from (select id from due order by least(by_wait, by_pace, by_age), random() limit $7::int) due, lateral (
        select id, last_attempt_at from webhook_deliveries
        where id = due.id and ${IS_PENDING} and (next_attempt_at <= now() or next_attempt_at > ${WRONG}) for update skip locked
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
    select id, webhook_id as "webhookId", '${name}' as lane, coalesce('evt_' || position, 'evt_test_' || id) as "messageId",
      position is null as "isTest", attempts as attempt, attempted_before as "attemptedBefore", url,
      coalesce(secrets, '{}') as "sealedSecrets", body,
      case when not is_enabled then 'failed'
        when not may_receive then 'dropped'
        when body is null or attempts > case when position is null then 1 else ${MAX_ATTEMPTS} end then 'failed'
        when not is_visible then 'dropped' end as status,
      not (is_enabled and may_receive) as "endsAll"
    from read order by id`;

/** The statement of each lane. */
export const CLAIM: Readonly<Record<DeliveryLane, string>> = {
  fast: claim('fast'),
  new: claim('new'),
  slow: claim('slow'),
};
