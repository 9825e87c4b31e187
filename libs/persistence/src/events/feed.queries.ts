import { EVENT_RESOURCES, type EventPageRequest, EventPosition } from '@petstore/event-feed';
import type { Statement } from '../pipelined-pool/statement.js';

/*
 * All statements take the position behind which they read, the most events of the page and the position up to which they
 * read, and return one row of one snapshot: first and newest position of the feed, number of events, position of the last
 * one, and the events as a JSON array. Events are stored as their JSON, so that the server only
 * joins them; a row for each would cost both sides more.
 */
function page(name: string, events: string): Statement {
  return {
    name,
    text: `select head.first, head.position, page.* from event_head head cross join lateral (
        select count(*), max(position), concat('[', string_agg(json, ',' order by position), ']')
        from (${events}) event where position <= $3::bigint
      ) page`,
  };
}

/** What is no longer part of the feed may still be there until it is old enough: after a restart (`npm run events`). */
const BEGIN = 'greatest($1::bigint, head.first)';

const ALL = page(
  'events_page',
  `select position, json from events where position > ${BEGIN} order by position limit $2`,
);

/**
 * A range of an index that has the events of a resource, or of an audience, in the order of the feed. That is said as a
 * range over the whole index: otherwise the planner may walk the primary key and throw away events of others, of which
 * there can be millions.
 */
function range(column: 'resource' | 'audience', value: string): string {
  return `select position, json from events where (${column}, position) > (${value}, ${BEGIN}) and ${column} <= ${value}
    order by ${column}, position limit $2`;
}

/** Events of the resources $4, and of the audience $5: each range gives as many as the page holds, however far they are apart. */
const MERGED = page(
  'events_page_merged',
  `select position, json from (
     select one.* from unnest($4::text[]) asked (resource) cross join lateral (${range('resource', 'asked.resource')}) one
     union all (${range('audience', '$5::text')})
   ) merged order by position limit $2`,
);

/** A statement and the values that it is run with. */
export type FeedQuery = readonly [Statement, readonly unknown[]];

/** What reads a page. @param end no event behind it is read */
export function feedQuery(request: EventPageRequest, end = EventPosition.MAX): FeedQuery {
  const { after = '0' as EventPosition, limit, visibility } = request;
  const { resources, audience } = visibility;
  const seesNothing = resources.length === 0 && audience === undefined;
  // Behind the last position there can be nothing but the row that says where the feed ends.
  if (after === 'latest' || seesNothing) return [ALL, [EventPosition.MAX, limit, end]];
  if (resources.length === EVENT_RESOURCES.length) return [ALL, [after, limit, end]];
  return [MERGED, [after, limit, end, resources, audience ?? null]];
}
