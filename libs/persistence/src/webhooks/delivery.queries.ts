import { INT64_MAX } from '@petstore/pet-domain';
import { DeliveryStatus, TEST_EVENT_TYPE } from '@petstore/webhook';
import type { Statement } from '../pipelined-pool/statement.js';
import { selected } from '../sql/columns.js';
import { orderOf, rangeOf } from '../sql/page.js';
import { isAskedFor } from './delivery.repository.js';
import { DELIVERY_COLUMNS } from './webhook.schema.js';

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

/** Before the newest one. */
export const END = INT64_MAX;

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
      where webhook_id = $1 and status = 'failed' and position in (select position from found where type is null)
      returning 1
    ), queued as (
      insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
      select $1, position, type, 'pending', now() from found where type is not null order by position
      on conflict (webhook_id, position) do nothing returning 1
    )
    select ((select count(*) from repeated) + (select count(*) from queued))::int as requeued, count(*)::int as found,
      max(position) as last from found`;
