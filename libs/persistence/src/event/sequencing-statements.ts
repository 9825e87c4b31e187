import { instant } from '../columns/sql-json.js';
import type { Statement } from '../pipeline/statement.js';

/** Any number that nothing else in the database locks by: the bytes of "petstore". */
const LOCK = '8099007544119226981';

/**
 * Until the end of the transaction, if no other sequencer has it. PostgreSQL gives it up with the session of one that
 * dies.
 */
export const TAKE_TURN: Statement = {
  name: 'events_take_turn',
  text: `select pg_try_advisory_xact_lock(${LOCK}), exists (select from outbox)`,
};

/** Waits for its turn; for operators. */
export const AWAIT_TURN = `select pg_advisory_xact_lock(${LOCK})`;

/**
 * A statement of its own behind the lock: so it sees all that the sequencer before has done.
 *
 * Moves the oldest of the outbox to the feed. A transaction that commits late may have written down a smaller id
 * than one that is in the feed already; its event gets a position behind that, and no position is ever given out
 * before a smaller one can be read.
 *
 * What is counted: a new animal, one that is gone, and the old and new place of one whose status or category has
 * changed; each for its category and for all (category 0).
 */
export const SEQUENCE: Statement = {
  name: 'events_sequence',
  text: `
    with moved as materialized (
      delete from outbox where id in (select id from outbox order by id limit $1)
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
    ), animals as materialized (
      select type, (data::json -> 'pet' ->> 'categoryId')::bigint as category_id, data::json -> 'pet' ->> 'status' as status,
        (data::json -> 'previous' ->> 'categoryId')::bigint as old_category_id,
        data::json -> 'previous' ->> 'status' as old_status
      from moved where resource = 'pet'
    ), changes as (
      select category_id, status, case type when 'pet.deleted' then -1 else 1 end as change from animals
        where type <> 'pet.updated' or old_category_id is not null or old_status is not null
      union all
      select coalesce(old_category_id, category_id), coalesce(old_status, status), -1 from animals
        where old_category_id is not null or old_status is not null
    ), counted as (
      insert into inventory as counter (category_id, status, animals)
      select one_or_all, status, sum(change) from changes, lateral (values (category_id), (0)) as places (one_or_all)
      group by one_or_all, status having sum(change) <> 0
      on conflict (category_id, status) do update set animals = counter.animals + excluded.animals
    )
    select count(*) from moved`,
};

/** How many wait, up to a bound, and for how long the oldest one has. */
export const BACKLOG: Statement = {
  name: 'outbox_backlog',
  text: `select count(*), greatest(0, coalesce(extract(epoch from now() - min(happened_at)), 0))
    from (select happened_at from outbox order by id limit 100000) waiting`,
};

/** Categories that no animal has any more leave nothing behind. */
export const FORGET_EMPTY: Statement = {
  name: 'inventory_forget_empty',
  text: 'delete from inventory where animals = 0',
};
