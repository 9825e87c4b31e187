import { changesOf } from './sequencing.queries.js';

/**
 * Sets right every counter of animals that is wrong, in one statement, that is on one snapshot: what a change has
 * written and its event in the outbox are seen both or not at all. The counters are those of the feed, which does not
 * contain the events in the outbox yet, so those are subtracted. Only the sequencer waits for it: the transaction holds
 * the sequencer's lock.
 *
 * Returns how many animals the feed knows, how many counters were wrong, and $1 of these at the most, with their right
 * value and those of all animals first.
 */
export const RECOUNT = `
  with ${changesOf('outbox')}, counted as (
    select category_id, status, sum(animals)::bigint as animals
    from (
      select coalesce(category_id, 0) as category_id, status, count(*) as animals from pets
        group by grouping sets ((category_id, status), (status))
      union all
      select category_id, status, -change from changes
    ) parts
    group by category_id, status having sum(animals) <> 0
  ), wrong as materialized (
    select category_id, status, coalesce(inventory.animals, 0) as was, coalesce(counted.animals, 0) as animals
    from inventory full join counted using (category_id, status)
    where coalesce(inventory.animals, 0) <> coalesce(counted.animals, 0)
  ), removed as (
    delete from inventory where (category_id, status) in (select category_id, status from wrong where animals = 0)
  ), replaced as (
    insert into inventory (category_id, status, animals)
      select category_id, status, animals from wrong where animals <> 0
      on conflict (category_id, status) do update set animals = excluded.animals
  )
  select (select coalesce(sum(animals), 0)::text from counted where category_id = 0) as animals,
    (select count(*)::int from wrong) as corrected, coalesce(json_agg(named), '[]') as corrections
  from (
    select nullif(category_id, 0)::text as "categoryId", status, was::text, animals::text
    from wrong order by category_id, status limit $1
  ) named`;

/** Where the feed begins and ends, and what waits. */
export const STATUS = `
  select head.first, head.position as newest,
    (select happened_at from events where position > head.first order by position limit 1) as "oldestKeptAt",
    (select count(*) from outbox) as waiting,
    coalesce((select greatest(0, extract(epoch from now() - happened_at))::float8 from outbox order by id limit 1), 0) as "waitingSeconds"
  from event_head head`;

/** How far a restart lifts the position and the ids: more events and ids than can have been lost. */
const GAP = 1_000_000;

/** What is given ids that a client may have stored. */
const NUMBERED = ['pets', 'categories', 'orders', 'webhooks', 'webhook_deliveries'];

/** No id that was given before is given again. A sequence is outside of transactions: to lift it twice does no harm. */
export const LIFT_IDS = `
  select setval(sequence, nextval(sequence) + ${GAP}) from (
    select pg_get_serial_sequence(name, 'id')::regclass as sequence from unnest('{${NUMBERED.join()}}'::text[]) name
  ) numbered`;

/** Nothing that was read before is a position of the feed any more. */
export const RESTART = `
  update event_head set position = position + ${GAP}, first = position + ${GAP} returning first`;
