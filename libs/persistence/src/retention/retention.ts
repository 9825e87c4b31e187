import type { EntityManager } from 'typeorm';
import { REMEMBERED_FOR_MS } from '../idempotency/idempotent-request.js';
import type { ScheduledJob } from '../scheduler/scheduler.js';

/** Between two removals. */
const INTERVAL_MS = 10 * 60 * 1000;
/** Rows removed by one statement: few enough for its timeout on a slow disk. */
const BATCH_SIZE = 5_000;
/** Days for which the use of a key is kept: this day of last year can be looked at, and a month around it. */
const USAGE_DAYS = 400;
/** Minutes for attempts that are under way when an endpoint is removed. */
const GRACE_MINUTES = 1;

/** Rows of one table that are removed when they are old enough. */
interface RetentionRule {
  /** Names the scheduled job; lower case and underscores. */
  readonly name: string;
  /** A `delete` of at most `$2` rows, those older than the age `$1`. */
  readonly statement: string;
  /** Value of `$1`, in the unit that the statement uses. */
  readonly age: number;
}

/** Removes rows of a table of which SQL says that they are old, in its order. */
function remove(table: string, isOld: string): string {
  return `delete from ${table} where ctid = any (array(select ctid from ${table} where ${isOld} limit $2))`;
}

/**
 * Events are removed from the oldest on, up to the first one that is not old enough: what is left has no gap. In the
 * same statement the feed begins later, so that no reader passes over what is gone.
 */
const REMOVE_EVENTS = `
  with oldest as (
    select position, bool_and(happened_at < now() - kept) over (order by position) as is_old
    from (select position, happened_at from events order by position limit $2) head, (select $1 * interval '1 day' kept) age
  ), lifted as (
    update event_head set first = greatest(first, (select max(position) from oldest where is_old))
    where exists (select from oldest where is_old)
  )
  delete from events where position = any (array(select position from oldest where is_old))`;

const IS_REMOVED = `key_id is null and updated_at < now() - $1 * interval '1 minute'`;

/** Which rows are removed, and when. @param eventRetentionDays also of deliveries, which are of no use without their events */
export function retentionRules(eventRetentionDays: number): readonly RetentionRule[] {
  return [
    {
      name: 'api_key_usage',
      statement: remove('api_key_usage', `day < (now() at time zone 'UTC')::date - $1::int order by day`),
      age: USAGE_DAYS,
    },
    {
      name: 'idempotent_requests',
      statement: remove(
        'idempotent_requests',
        `created_at <= now() - $1 * interval '1 millisecond' order by created_at`,
      ),
      age: REMEMBERED_FOR_MS,
    },
    // What is left of endpoints that were removed: first their deliveries, of which there may be many, then they.
    {
      name: 'deliveries_of_removed_webhooks',
      statement: remove('webhook_deliveries', `webhook_id in (select id from webhooks where ${IS_REMOVED})`),
      age: GRACE_MINUTES,
    },
    {
      name: 'removed_webhooks',
      statement: remove(
        'webhooks',
        `${IS_REMOVED} and not exists (select from webhook_deliveries where webhook_id = webhooks.id)`,
      ),
      age: GRACE_MINUTES,
    },
    { name: 'events', statement: REMOVE_EVENTS, age: eventRetentionDays },
    {
      name: 'webhook_deliveries',
      statement: remove(
        'webhook_deliveries',
        `created_at < now() - $1 * interval '1 day' order by created_at`,
      ),
      age: eventRetentionDays,
    },
  ];
}

/**
 * Removes rows in batches until no row is left that is old enough.
 *
 * @param signal stops it between two batches: then it rejects with the signal's reason
 * @returns how many rows were removed
 */
export async function removeOldRows(
  manager: EntityManager,
  { statement, age }: RetentionRule,
  signal?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    const [, removed] = await manager.query<[unknown, number]>(statement, [age, BATCH_SIZE]);
    total += removed;
    if (removed < BATCH_SIZE) return total;
    signal?.throwIfAborted();
  }
}

/** One scheduled job for each rule. */
export function retentionJobs(manager: EntityManager, eventRetentionDays: number): readonly ScheduledJob[] {
  return retentionRules(eventRetentionDays).map((rule) => ({
    name: `retention:${rule.name}`,
    intervalMs: INTERVAL_MS,
    run: (signal) => removeOldRows(manager, rule, signal),
  }));
}
