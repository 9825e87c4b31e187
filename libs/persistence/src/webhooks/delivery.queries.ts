import { DeliveryStatus, TEST_EVENT_TYPE } from '@petstore/webhook';
import type { Statement } from '../pipelined-pool/statement.js';
import { isVisible } from '../events/visibility.js';
import { selected } from '../sql/columns.js';
import { orderOf, rangeOf } from '../sql/page.js';
import { DELIVERY_COLUMNS } from './webhook.schema.js';

/** SQL: whether the key `k` is in force and may have endpoints; without that nothing is sent to its endpoints. */
export const KEY_MAY_RECEIVE = `(k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
  and 'webhooks:manage' = any (k.scopes))`;

/** Whether there is an endpoint that anything could be sent to. */
export const ANY_ENDPOINT = `select exists (select from webhooks where status = 'enabled') as any`;

/** SQL: whether an endpoint has asked for an event, by its type or by its resource. */
export const isAskedFor = (endpoint: string, event: string): string =>
  `(${endpoint}.types is null or ${event}.type = any (${endpoint}.types) or ${event}.resource || '.*' = any (${endpoint}.types))`;

/**
 * Deliveries of the events behind position $1 up to $2, in their order, one for each endpoint that asks for them and
 * whose key may see them at this moment.
 *
 * Endpoints are compared with kinds of events (type and audience), not with each event. They are locked against
 * removal: one that is being removed is waited for, and skipped. The first attempts start in the order of the ids.
 */
export const FAN_OUT = `
  with t as materialized (
    select w.id, w.key_id, w.types, k.scopes
    from webhooks w, lateral (select * from api_keys where id = w.key_id limit 1) k
    where w.status = 'enabled' and ${KEY_MAY_RECEIVE}
    for key share of w
  ), placed as materialized (
    select position, type, resource, audience from events where position > $1::bigint and position <= $2::bigint
  ), kind as materialized (
    select distinct type, resource, audience from placed
  ), receivers as materialized (
    select kind.type, kind.audience, array_agg(t.id order by t.id) as ids
    from kind, t
    where ${isVisible({ resource: 'kind.resource', audience: 'kind.audience', keyId: 't.key_id', scopes: 't.scopes' })}
      and ${isAskedFor('t', 'kind')}
    group by kind.type, kind.audience
  ), queued as (
    insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
    select id, position, type, 'pending', now()
    from (
      select unnest(ids) as id, position, placed.type
      from placed, receivers
      where receivers.type = placed.type and receivers.audience is not distinct from placed.audience
    ) due
    order by position, id
    on conflict (webhook_id, position) do nothing
    returning 1
  )
  select count(*)::int as queued from queued`;

/**
 * Most pending deliveries that one statement ends because of their endpoint. Those beyond are ended when they are due: nothing is
 * sent to an endpoint that is disabled or removed.
 */
const MAX_ENDED = 10_000;

/**
 * Ends pending deliveries of endpoints, except the tests of disabled ones, which are sent. $1 ids, $2 state, $3
 * whether only those that are due and not under way.
 */
export const END_PENDING = `
    update webhook_deliveries set status = $2, next_attempt_at = null
    where id = any (array(
      select id from webhook_deliveries
      where webhook_id = any ($1::bigint[]) and status = 'pending' and (position is not null or $2 = 'dropped')
        and (not $3::boolean or next_attempt_at <= now())
      limit ${MAX_ENDED} for update skip locked
    ))
    returning 1`;

/** With the members of a delivery: rows of the pool are deliveries, too. */
const DELIVERY = selected(DELIVERY_COLUMNS);

const LIST = ['webhook_id', 'status'];

/** Deliveries of one status: $1 endpoint, $2 limit, $3 id before which it begins, $4 key id. */
function page(status: DeliveryStatus): string {
  const range = rangeOf(LIST, ['$1::bigint', `'${status}'`], '$3::bigint');
  return `select ${DELIVERY} from webhook_deliveries
    where ${range.join(' and ')} and exists (select from webhooks where id = $1 and key_id = $4)
    order by ${orderOf(LIST)} limit $2`;
}

/** Reads a page of one status, or of all: $1 endpoint, $2 limit, $3 id before which it begins, $4 key id. */
export const PAGES = Object.fromEntries([
  ...DeliveryStatus.ALL.map((status) => [
    status,
    { name: `webhook_deliveries_page_${status}`, text: page(status) },
  ]),
  [
    'all',
    {
      name: 'webhook_deliveries_page',
      text: `select * from (${DeliveryStatus.ALL.map((status) => `(${page(status)})`).join(' union all ')}) merged
        order by id desc limit $2`,
    },
  ],
]) as Readonly<Record<DeliveryStatus | 'all', Statement>>;

/** $1 endpoint. */
export const ADD_TEST = `insert into webhook_deliveries (webhook_id, type, status, next_attempt_at)
    values ($1, '${TEST_EVENT_TYPE}', 'pending', now()) returning ${DELIVERY}`;

/** As if it had just been queued. */
const AS_NEW = `status = 'pending', attempts = 0, next_attempt_at = now(), last_attempt_at = null,
  response_status = null, error = null`;

/** Of a test, and where the event is no longer kept, there is nothing to repeat. $1 delivery, $2 endpoint. */
export const REDELIVER = `update webhook_deliveries delivery set ${AS_NEW}
    where id = $1 and webhook_id = $2 and exists (select from events where events.position = delivery.position)
    returning ${DELIVERY}`;

/** Where the feed begins and ends. */
export const FEED_LIMITS = 'select first, position as newest from event_head';

const IS_VISIBLE = '(event.resource = any ($5::text[]) or event.audience = $6::text)';

/**
 * Makes failed deliveries due and queues events that were never queued, in one range of positions, oldest first.
 * Returns how many were due or queued, how many were found, and the position of the last one found. The range bounds
 * the work: of both tables no more rows are read than it has positions.
 *
 * $1 endpoint, $2 position before the range, $3 last position of the range, $4 most, $5 resources of which all events
 * are seen, $6 audience whose events are seen besides, or NULL
 */
export const REPLAY = `
    with missed as (
      select event.position, event.type
      from events event cross join (select types from webhooks where id = $1) endpoint
      where event.position > $2 and event.position <= $3 and ${isAskedFor('endpoint', 'event')} and ${IS_VISIBLE}
        and not exists (
          select from webhook_deliveries delivery
          where delivery.webhook_id = $1 and delivery.position = event.position)
      order by event.position limit $4
    ), failed as (
      select position, null::text as type from webhook_deliveries
      where webhook_id = $1 and position > $2 and position <= $3 and status = 'failed'
      order by position limit $4
    ), found as materialized (
      select * from (select * from missed union all select * from failed) both_kinds order by position limit $4
    ), repeated as (
      update webhook_deliveries set ${AS_NEW}
      where webhook_id = $1 and status = 'failed'
        and position = any (array(select position from found where type is null))
      returning 1
    ), queued as (
      insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
      select $1, position, type, 'pending', now() from found where type is not null order by position
      on conflict (webhook_id, position) do nothing returning 1
    )
    select ((select count(*) from repeated) + (select count(*) from queued))::int as requeued, count(*)::int as found,
      max(position) as last from found`;
