import type { RetentionRule } from '../retention/retention-rule.js';

/** Days for which the use of a key is kept: this day of last year can be looked at, and a month around it. */
const KEPT_DAYS = 400;

/** Removes daily counts that are older than 400 days. */
export const KEY_USAGE_RETENTION: RetentionRule = {
  name: 'api_key_usage',
  statement: `
    delete from api_key_usage where (key_id, day) in (
      select key_id, day from api_key_usage
      where day < (now() at time zone 'UTC')::date - $1::int order by day limit $2)`,
  age: KEPT_DAYS,
};
