import type { RetentionRule } from '../retention/retention-rule.js';

/**
 * Events are removed from the oldest on, up to the first one that is not old enough: what is left has no gap. In the
 * same statement the feed begins later, so that no reader passes over what is gone.
 *
 * The clock of the database may have been wrong: an event that seems to happen later from now than events are kept
 * counts as old, too. Else one from the year 2100 would keep all behind it until then.
 */
export function eventRetention(days: number): RetentionRule {
  return {
    name: 'events',
    statement: `
      with oldest as (
        select position, bool_and(happened_at not between now() - kept and now() + kept) over (order by position) as is_old
        from (select position, happened_at from events order by position limit $2) head, (select $1 * interval '1 day' kept) age
      ), lifted as (
        update event_head set first = greatest(first, (select max(position) from oldest where is_old))
        where exists (select from oldest where is_old)
      )
      delete from events where position in (select position from oldest where is_old)`,
    age: days,
  };
}
