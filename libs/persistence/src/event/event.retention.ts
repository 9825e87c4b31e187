import type { RetentionRule } from '../retention/retention-rule.js';

/**
 * Events are removed from the oldest on, up to the first one that is not old enough: what is left has no gap. In the
 * same statement the feed begins later, so that no reader passes over what is gone.
 */
export function eventRetention(days: number): RetentionRule {
  return {
    name: 'events',
    statement: `
      with oldest as (
        select position, bool_and(happened_at < now() - $1 * interval '1 day') over (order by position) as is_old
        from (select position, happened_at from events order by position limit $2) first_ones
      ), lifted as (
        update event_head set first = (select max(position) from oldest where is_old)
        where exists (select from oldest where is_old)
      )
      delete from events where position in (select position from oldest where is_old)`,
    age: days,
  };
}
