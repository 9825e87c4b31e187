import type { RetentionRule } from '../retention/retention-rule.js';
import { REMEMBERED_FOR_MS } from './idempotent-request.js';

/** Removes the requests that are no longer remembered from a table of them, so that it holds those of one day. */
export function retentionOfRequests(table: 'idempotent_requests' | 'add_requests'): RetentionRule {
  return {
    name: table,
    statement: `
      delete from ${table} where (caller, token) in (
        select caller, token from ${table}
        where created_at <= now() - $1 * interval '1 millisecond' order by created_at limit $2)`,
    age: REMEMBERED_FOR_MS,
  };
}
