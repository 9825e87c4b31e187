import type { EntityManager } from 'typeorm';

/** Days for which the use of a key is kept: this day of last year can be looked at, and a month around it. */
const KEPT_DAYS = 400;

/** Rows removed by one statement: few enough for its time limit on a slow disk. */
const BATCH = 5_000;

const FORGET = `
  delete from api_key_usage where (key_id, day) in (
    select key_id, day from api_key_usage
    where day < (now() at time zone 'UTC')::date - $1::int order by day limit $2)`;

/** Removes what was counted so long ago that nobody looks at it any more; how many rows there were. */
export async function forgetKeyUse(manager: EntityManager): Promise<number> {
  for (let total = 0; ;) {
    const [, removed] = await manager.query<[unknown, number]>(FORGET, [KEPT_DAYS, BATCH]);
    total += removed;
    if (removed < BATCH) return total;
  }
}
