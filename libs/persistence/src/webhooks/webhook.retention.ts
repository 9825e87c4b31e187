import type { RetentionRule } from '../retention/retention-rule.js';

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
