import type { EntityManager } from 'typeorm';
import { removeInBatches } from '../retention/remove-in-batches.js';

/** Days for which the use of a key is kept: this day of last year can be looked at, and a month around it. */
const KEPT_DAYS = 400;

const FORGET = `
  delete from api_key_usage where (key_id, day) in (
    select key_id, day from api_key_usage
    where day < (now() at time zone 'UTC')::date - $1::int order by day limit $2)`;

/** Removes what was counted so long ago that nobody looks at it any more; how many rows there were. */
export function forgetKeyUse(manager: EntityManager): Promise<number> {
  return removeInBatches(manager, FORGET, KEPT_DAYS);
}
