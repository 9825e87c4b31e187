import { instant } from '../columns/sql-json.js';
import type { Statement } from '../pipeline/statement.js';
import { ANY_ENDPOINT } from '../webhook/fan-out-statements.js';
import { changesOf } from './inventory-changes.js';

/** Any number that nothing else in the database locks by: the bytes of "petstore". */
const LOCK = '8099007544119226981';

/** Which table the outbox is, on which run of the server: emptied by `truncate` or restored, it is another one. */
const INCARNATION = `pg_relation_filenode('outbox') || ' ' || extract(epoch from pg_postmaster_start_time())`;

/**
 * Until the end of the transaction, if no other sequencer has it. PostgreSQL gives it up with the session of one that
 * dies. And whether there is anything behind $1, if $2 is the same table, and what an {@link OutboxSight} says.
 */
export const TAKE_TURN: Statement = {
  name: 'events_take_turn',
  text: `
    select pg_try_advisory_xact_lock(${LOCK}),
      exists (select from outbox where id > case incarnation when $2::text then $1::bigint else 0 end),
      incarnation, pg_snapshot_xmin(pg_current_snapshot())
    from (select ${INCARNATION}) it (incarnation)`,
};

/** Waits for its turn; for operators. */
export const AWAIT_TURN = `select pg_advisory_xact_lock(${LOCK})`;

/**
 * A statement of its own behind the lock: so it sees all that the sequencer before has done.
 *
 * Moves at most $1 of the outbox to the feed, the oldest behind $2. A transaction that commits late may have written down a smaller id
 * than one that is in the feed already; its event gets a position behind that, and no position is ever given out
 * before a smaller one can be read.
 *
 * How many, the greatest id of them, the transaction, the position before them, and whether there are endpoints.
 */
export const SEQUENCE: Statement = {
  name: 'events_sequence',
  text: `
    with moved as materialized (
      delete from outbox where id in (select id from outbox where id > $2::bigint order by id limit $1::int)
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
    select count(*), max(id), pg_current_xact_id(), (select position from event_head), ${ANY_ENDPOINT} from moved`,
};

/** How many wait behind $1, up to a bound, and for how long the oldest one has. */
export const BACKLOG: Statement = {
  name: 'outbox_backlog',
  text: `select count(*), greatest(0, coalesce(extract(epoch from now() - min(happened_at)), 0))
    from (select happened_at from outbox where id > $1::bigint order by id limit 100000) waiting`,
};

/** Categories that no animal has any more leave nothing behind. */
export const FORGET_EMPTY: Statement = {
  name: 'inventory_forget_empty',
  text: 'delete from inventory where animals = 0',
};
