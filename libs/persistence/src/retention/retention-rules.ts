import { REMEMBERED_FOR_MS } from '../idempotency/idempotent-request.js';
import type { RetentionRule } from './retention.js';

/** Days for which the use of a key is kept: this day of last year can be looked at, and a month around it. */
const KEPT_DAYS = 400;

/** Daily counts that are older than 400 days. */
export const KEY_USAGE_RETENTION: RetentionRule = {
  name: 'api_key_usage',
  statement: `
    delete from api_key_usage where (key_id, day) in (
      select key_id, day from api_key_usage
      where day < (now() at time zone 'UTC')::date - $1::int order by day limit $2)`,
  age: KEPT_DAYS,
};

/** Requests that are no longer remembered. */
export const IDEMPOTENT_REQUEST_RETENTION: RetentionRule = {
  name: 'idempotent_requests',
  statement: `
    delete from idempotent_requests where (caller, token) in (
      select caller, token from idempotent_requests
      where created_at <= now() - $1 * interval '1 millisecond' order by created_at limit $2)`,
  age: REMEMBERED_FOR_MS,
};

/**
 * Events are removed from the oldest on, up to the first one that is not old enough: what is left has no gap. In the
 * same statement the feed begins later, so that no reader passes over what is gone.
 */
export function eventRetention(days: number): RetentionRule {
  return {
    name: 'events',
    statement: `
      with oldest as (
        select position, bool_and(happened_at < now() - kept) over (order by position) as is_old
        from (select position, happened_at from events order by position limit $2) head, (select $1 * interval '1 day' kept) age
      ), lifted as (
        update event_head set first = greatest(first, (select max(position) from oldest where is_old))
        where exists (select from oldest where is_old)
      )
      delete from events where position in (select position from oldest where is_old)`,
    age: days,
  };
}

/** Deliveries are kept as long as events are: without its event one can neither be attempted nor repeated. */
export function deliveryRetention(days: number): RetentionRule {
  return {
    name: 'webhook_deliveries',
    statement: `
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where created_at < now() - $1 * interval '1 day'
        order by created_at limit $2)`,
    age: days,
  };
}

/** For attempts that are under way when an endpoint is removed, in minutes. */
const GRACE_MINUTES = 1;

const REMOVED = `select id from webhooks where key_id is null and updated_at < now() - $1 * interval '1 minute'`;

/** What is left of endpoints that were removed: first their deliveries, of which there may be many, then they. */
export const REMOVED_WEBHOOKS: readonly RetentionRule[] = [
  {
    name: 'deliveries_of_removed_webhooks',
    statement: `
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where webhook_id in (${REMOVED}) limit $2)`,
    age: GRACE_MINUTES,
  },
  {
    name: 'removed_webhooks',
    statement: `
      delete from webhooks where id in (
        select id from (${REMOVED}) removed
        where not exists (select from webhook_deliveries where webhook_id = removed.id) limit $2)`,
    age: GRACE_MINUTES,
  },
];

/** Which rows are removed, and when. @param eventRetentionDays also of deliveries */
export function retentionRules(eventRetentionDays: number): readonly RetentionRule[] {
  return [
    KEY_USAGE_RETENTION,
    IDEMPOTENT_REQUEST_RETENTION,
    ...REMOVED_WEBHOOKS,
    eventRetention(eventRetentionDays),
    deliveryRetention(eventRetentionDays),
  ];
}
