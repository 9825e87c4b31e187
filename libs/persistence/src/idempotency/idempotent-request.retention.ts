import type { RetentionRule } from '../retention/retention-rule.js';
import { REMEMBERED_FOR_MS } from './idempotent-request.js';

/** Removes the requests that are no longer remembered. */
export const IDEMPOTENT_REQUEST_RETENTION: RetentionRule = {
  name: 'idempotent_requests',
  statement: `
    delete from idempotent_requests where (caller, token) in (
      select caller, token from idempotent_requests
      where created_at <= now() - $1 * interval '1 millisecond' order by created_at limit $2)`,
  age: REMEMBERED_FOR_MS,
};
