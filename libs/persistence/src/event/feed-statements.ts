import type { EventPageRequest } from '@petstore/event-feed';
import { EventPosition } from '@petstore/event-feed';
import type { Statement } from '../pipeline/statement.js';

/**
 * A page and where the feed begins and ends, of one snapshot and as one row: first and newest position of the feed,
 * number of events, position of the last one, all of them as a JSON array. Events are kept as their JSON, so that the
 * server only joins them; a row for each would cost both sides more.
 *
 * Events of one resource are read from the index (resource, position). That is said as a range over the whole index:
 * otherwise the planner may walk the primary key and throw away events of other resources, of which there can be
 * millions.
 *
 * What is no longer part of the feed may still be there until it is old enough: after a restart (`npm run events`).
 */
function page(name: string, events: string): Statement {
  return {
    name,
    text: `select head.first, head.position, page.* from event_head head cross join lateral (
        select count(*), max(position), concat('[', string_agg(json, ',' order by position), ']')
        from (select position, json from events where ${events} limit $2) event
      ) page`,
  };
}

const EVENTS = page('events_page', 'position > greatest($1, head.first) order by position');
const EVENTS_OF_RESOURCE = page(
  'events_page_of_resource',
  '(resource, position) > ($3, greatest($1, head.first)) and resource <= $3 order by resource, position',
);

export const EVENT_READS: readonly Statement[] = [EVENTS, EVENTS_OF_RESOURCE];

/** The statement and values that read a page. */
export function eventsQuery({
  after = '0' as EventPosition,
  limit,
  resource,
}: EventPageRequest): readonly [Statement, readonly string[]] {
  // Behind the last position there can be nothing but the row that says where the feed ends.
  const values = [after === 'latest' ? EventPosition.MAX : after, String(limit)];
  return resource === undefined ? [EVENTS, values] : [EVENTS_OF_RESOURCE, [...values, resource]];
}
