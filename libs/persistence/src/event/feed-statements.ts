import { type EventPageRequest, EventPosition, type EventResource } from '@petstore/event-feed';
import type { Statement } from '../pipeline/statement.js';

/**
 * A page and where the feed begins and ends, of one snapshot and as one row: first and newest position of the feed,
 * whether it is the page or may lack events, number of events, position of the last one, all of them as a JSON array.
 * Events are kept as their JSON, so that the server only joins them; a row for each would cost both sides more.
 *
 * @param events select position and JSON of the events behind {@link BEGIN}, at most `$2` of them
 */
function page(name: string, events: string, isWhole = 'true'): Statement {
  return {
    name,
    text: `select head.first, head.position, ${isWhole}, page.* from event_head head cross join lateral (
        select count(*), max(position), concat('[', string_agg(json, ',' order by position), ']')
        from (${events}) event
      ) page`,
  };
}

/** What is no longer part of the feed may still be there until it is old enough: after a restart (`npm run events`). */
const BEGIN = 'greatest($1, head.first)';

const EVERYTHING = `select position, json from events where position > ${BEGIN} order by position limit $2`;

/** As {@link BEGIN}, but not behind the newest event: a client may name the greatest int64, and more is added here. */
const NEAR_BEGIN = 'greatest(least($1, head.position), head.first)';

/** How far events are looked through: four times as many as the page may hold. */
const NEAR_END = `${NEAR_BEGIN} + 4 * $2`;

/**
 * What meets a condition among the next events, which nearly always is a whole page. They are read in the order of the
 * primary key, which costs half of what merged ranges of another index do.
 */
function near(name: string, condition: string): Statement {
  const events = `select position, json from events
    where position > ${NEAR_BEGIN} and position <= ${NEAR_END} and (${condition}) order by position limit $2`;
  return page(name, events, `page.count = $2 or head.position <= ${NEAR_END}`);
}

/**
 * Events of one resource, or of one reader of orders, are read from an index that has them in the order of the feed.
 * That is said as a range over the whole index: otherwise the planner may walk the primary key and throw away events of
 * others, of which there can be millions.
 */
function range(column: 'resource' | 'audience', value: string): string {
  return `(select position, json from events where (${column}, position) > (${value}, ${BEGIN}) and ${column} <= ${value}
    order by ${column}, position limit $2)`;
}

/** Some ranges, merged: each gives as many as the page holds. */
function merged(...ranges: readonly string[]): string {
  return `select position, json from (${ranges.join(' union all ')}) merged order by position limit $2`;
}

const FOR_ALL: readonly EventResource[] = ['pet', 'category'];
const forAll = FOR_ALL.map((resource) => range('resource', `'${resource}'`));

const STATEMENTS = {
  everything: page('events_page', EVERYTHING),
  withoutOrdersNear: near('events_page_without_orders_near', "resource <> 'order'"),
  withoutOrders: page('events_page_without_orders', merged(...forAll)),
  withOrdersOfKeyNear: near('events_page_with_orders_of_key_near', "resource <> 'order' or audience = $3"),
  withOrdersOfKey: page('events_page_with_orders_of_key', merged(...forAll, range('audience', '$3'))),
  ofResourceNear: near('events_page_of_resource_near', 'resource = $3'),
  ofResource: page('events_page_of_resource', range('resource', '$3')),
  ordersOfKey: page('events_page_orders_of_key', range('audience', '$3')),
} as const satisfies Record<string, Statement>;

export const EVENT_READS: readonly Statement[] = Object.values(STATEMENTS);

/** A statement and the values that it is executed with. */
type Query = readonly [Statement, readonly string[]];

/** What reads a page; the second one if what the first one has read is not whole. */
export function eventsQueries(request: EventPageRequest): readonly [Query, otherwise?: Query] {
  const { after = '0' as EventPosition, limit, resource, orders } = request;
  // Behind the last position there can be nothing but the row that says where the feed ends.
  if (after === 'latest' || seesNothing(request))
    return [[STATEMENTS.everything, [EventPosition.MAX, String(limit)]]];
  const values = [after, String(limit)];
  if (resource === 'order' && typeof orders === 'object')
    return [[STATEMENTS.ordersOfKey, [...values, orders.keyId]]];
  if (resource !== undefined) return both('ofResource', [...values, resource]);
  if (orders === 'all') return [[STATEMENTS.everything, values]];
  if (orders === 'none') return both('withoutOrders', values);
  return both('withOrdersOfKey', [...values, orders.keyId]);
}

function both(
  name: 'withoutOrders' | 'withOrdersOfKey' | 'ofResource',
  values: readonly string[],
): readonly [Query, Query] {
  return [
    [STATEMENTS[`${name}Near`], values],
    [STATEMENTS[name], values],
  ];
}

function seesNothing({ resource, orders }: EventPageRequest): boolean {
  return resource === 'order' && orders === 'none';
}
