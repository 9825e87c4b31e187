import { HISTORY_DAYS } from '@petstore/api-key';
import { instant } from '../columns/sql-json.js';
import type { Statement } from '../pipeline/statement.js';

/** A row of each day on which the key was used, newest first; one without a day if there is none. No column is NULL. */
export const HISTORY: Statement = {
  name: 'api_key_usage_history',
  text: `
    select coalesce(${instant('k.expires_at')}, ''), coalesce(to_char(u.day, 'YYYY-MM-DD'), ''),
           coalesce(u.requests, 0), coalesce(u.refused, 0)
    from api_keys k
    left join (
      select day, requests, refused from api_key_usage
      where key_id = $1 and day > (now() at time zone 'UTC')::date - ${HISTORY_DAYS}
      order by day desc limit ${HISTORY_DAYS}
    ) u on true
    where k.id = $1
    order by u.day desc`,
};
