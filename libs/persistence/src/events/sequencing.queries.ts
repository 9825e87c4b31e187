import { MAX_BACKLOG } from '../sql/backlog.js';
import { instant } from '../sql/json.js';

/**
 * Until the end of the transaction, statements read by index only. The outbox is empty when a session plans, or seems so
 * to the statistics, and a plan is kept: one that walks the whole table would be the plan for a backlog of millions, too.
 */
export const READ_BY_INDEX = `select set_config(name, 'off', true)
  from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']) name`;

/** Which table the outbox is, on which run of the server: emptied by `truncate` or restored, it is another one. */
const TABLE_ID = `pg_relation_filenode('outbox') || ' ' || extract(epoch from pg_postmaster_start_time())`;

/** Behind $1 if $2 is the same table. */
const BEHIND_MARK = `id > case ${TABLE_ID} when $2::text then $1::bigint else 0 end`;

/** Whether there is anything behind the low-water mark, and what an {@link OutboxSnapshot} says. */
export const LOOK = `
  select exists (select from outbox where ${BEHIND_MARK}) as "isThereAny",
    ${TABLE_ID} as "tableId", pg_snapshot_xmin(pg_current_snapshot())::text as horizon`;

/**
 * The row that every batch changes is the lock: one sequencer at a time in the whole installation, and none waits.
 * PostgreSQL releases it with the session of one that dies.
 */
export const LOCK = 'select position from event_head for update skip locked';

/** Waits for the sequencer, for operators. */
export const AWAIT_LOCK = 'select position from event_head for update';

/**
 * The part of a statement that says how events change the counters of animals: its rows, `changes`, are a category and
 * a status, each once, and by how much their counter grows.
 *
 * What is counted: a new animal, one that is gone, and the old and new place of one whose status or category has
 * changed; each for its category and for all (category 0).
 *
 * The data of an event is checked to be JSON once (`offset 0`) and then read by paths: half of what it costs otherwise.
 *
 * @param source a part of the same statement, or a table, with the columns `type`, `resource` and `data` of the outbox
 */
export function changesOf(source: string): string {
  return `animals as materialized (
      select type, (data #>> '{pet,categoryId}')::bigint as category_id, data #>> '{pet,status}' as status,
        case type when 'pet.updated' then (data #>> '{previous,categoryId}')::bigint end as old_category_id,
        case type when 'pet.updated' then data #>> '{previous,status}' end as old_status
      from (select type, data::json from ${source} where resource = 'pet' offset 0) once (type, data)
    ), moves as (
      select category_id, status, case type when 'pet.deleted' then -1 else 1 end as change from animals
        where type in ('pet.created', 'pet.deleted') or old_category_id is not null or old_status is not null
      union all
      select coalesce(old_category_id, category_id), coalesce(old_status, status), -1 from animals
        where old_category_id is not null or old_status is not null
    ), changes as (
      select one_or_all as category_id, status, sum(change)::bigint as change
      from moves, lateral (values (category_id), (0)) as places (one_or_all)
      group by one_or_all, status
    )`;
}

/**
 * A statement of its own behind the lock: so it sees all that the sequencer before has done.
 *
 * Moves at most $1 of the outbox to the feed, the oldest behind $2. A transaction that commits late may have written a
 * smaller id than one that is in the feed already; its event gets a position behind that, and no position is ever given
 * out before a smaller one can be read.
 *
 * By an array: planned when the outbox has one row, and kept, `in` would compare each with each of thousands later.
 *
 * How many, the greatest id of them, the transaction, and the positions before them and of the last one.
 */
export const SEQUENCE = `
  with moved as materialized (
    delete from outbox where id = any (array(select id from outbox where id > $2::bigint order by id limit $1::int))
    returning id, type, resource, audience, data, happened_at
  ), placed as materialized (
    select (select position from event_head) + row_number() over (order by id) as position, moved.* from moved
  ), kept as (
    insert into events (position, type, resource, audience, json, happened_at)
    select position, type, resource, audience,
      '{"id":' || position || ',"type":"' || type || '","timestamp":"'
        || ${instant('happened_at')} || '","data":' || data || '}',
      happened_at
    from placed
  ), advanced as (
    update event_head set position = position + (select count(*) from moved)
  ), ${changesOf('moved')}, counted as (
    insert into inventory as counter (category_id, status, animals)
    select category_id, status, change from changes where change <> 0
    on conflict (category_id, status) do update set animals = counter.animals + excluded.animals
  )
  select count(*)::int as count, max(id) as last, pg_current_xact_id()::text as transaction,
    (select position from event_head) as before, (select position from event_head) + count(*) as newest from moved`;

/** Categories that no animal has any more leave nothing behind. */
export const FORGET_EMPTY = 'delete from inventory where animals = 0';

/** How many wait, up to a bound, and for how long the oldest one has. */
export const BACKLOG = `
  select count(*)::int as rows,
    greatest(0, coalesce(extract(epoch from now() - min(happened_at)), 0))::float8 as "oldestSeconds"
  from (select happened_at from outbox where ${BEHIND_MARK} order by id limit ${MAX_BACKLOG}) waiting`;
