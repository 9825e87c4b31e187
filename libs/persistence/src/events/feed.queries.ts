import { EVENT_RESOURCES, type EventPageRequest, EventPosition } from '@petstore/event-feed';
import type { Statement } from '../pipelined-pool/statement.js';

/*
 * All statements take the position behind which they read, the most events of the page and the position up to which they
 * read, and return one row of one snapshot: first and newest position of the feed, whether the page is whole, number of
 * events, position of the last one, and the events as a JSON array. Events are stored as their JSON, so that the server only
 * joins them; a row for each would cost both sides more.
 */
function page(name: string, events: string, isWhole = 'true'): Statement {
  return {
    name,
    text: `select head.first, head.position, ${isWhole}, page.* from event_head head cross join lateral (
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

/** As {@link BEGIN}, but not behind the newest event: a client may name the greatest int64, and more is added here. */
const NEAR_BEGIN = 'greatest(least($1::bigint, head.position), head.first)';
/** How far events are looked through: four times as many as the page may hold. */
const NEAR_END = `${NEAR_BEGIN} + 4 * $2`;

/**
 * Events of the resources $4, and of the audience $5, among the next events: nearly always a whole page. They are read in
 * the order of the primary key, which costs half of what merged ranges of another index do.
 */
const NEAR = page(
  'events_page_near',
  `select position, json from events where position > ${NEAR_BEGIN} and position <= ${NEAR_END}
   and (resource = any ($4::text[]) or audience = $5::text) order by position limit $2`,
  `page.count = $2 or head.position <= ${NEAR_END}`,
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

/** As {@link NEAR}, however far the events are apart: each range gives as many as the page holds. */
const MERGED = page(
  'events_page_merged',
  `select position, json from (
     select one.* from unnest($4::text[]) asked (resource) cross join lateral (${range('resource', 'asked.resource')}) one
     union all (${range('audience', '$5::text')})
   ) merged order by position limit $2`,
);

/** A statement and the values that it is run with. */
export type FeedQuery = readonly [Statement, readonly unknown[]];

/**
 * What reads a page; the second one if what the first one has read is not whole.
 *
 * @param end no event behind it is read
 */
export function feedQueries(
  request: EventPageRequest,
  end = EventPosition.MAX,
): readonly [FeedQuery, otherwise?: FeedQuery] {
  const { after = '0' as EventPosition, limit, visibility } = request;
  const { resources, audience } = visibility;
  const seesNothing = resources.length === 0 && audience === undefined;
  // Behind the last position there can be nothing but the row that says where the feed ends.
  if (after === 'latest' || seesNothing) return [[ALL, [EventPosition.MAX, limit, end]]];
  if (resources.length === EVENT_RESOURCES.length) return [[ALL, [after, limit, end]]];
  const values = [after, limit, end, resources, audience ?? null];
  return [
    [NEAR, values],
    [MERGED, values],
  ];
}
