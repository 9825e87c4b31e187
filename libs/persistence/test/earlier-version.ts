import type { NewPet } from '@petstore/pet-domain';
import type { Client } from 'pg';
import { keptToken } from '../src/idempotency/kept-token.js';
import { known } from '../src/testing/known.js';

export interface Added {
  readonly id: string;
  readonly earlier: boolean;
  readonly same: boolean;
}

/** What the version before `idempotent_requests` sends, statement by statement. */
export async function addAsEarlier(
  earlier: Client,
  pet: NewPet,
  token: string,
  keep: (token: string) => string = keptToken,
): Promise<Added | 'in_progress'> {
  await earlier.query('START TRANSACTION');
  try {
    const { rows: locks } = await earlier.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked`,
      [JSON.stringify(['a', token])],
    );
    if (locks[0]?.locked !== true) return 'in_progress';
    const { rows } = await earlier.query<Added>(CARRY_OUT, [
      ...['a', keep(token), token, pet.name, pet.categoryId, pet.status],
      String(24 * 60 * 60 * 1000),
    ]);
    return known(rows[0]);
  } finally {
    await earlier.query('COMMIT');
  }
}

const CARRY_OUT = `
  with earlier as (
    select pet_id as id, true as earlier, (name, category_id, status) = ($4::text, $5::bigint, $6::text) as same
    from add_requests
    where caller = $1 and token in ($2, $3) and created_at > now() - $7::double precision * interval '1 millisecond'
    limit 1
  ), added as (
    insert into pets (name, category_id, status)
    select $4::text, $5::bigint, $6::text where not exists (select from earlier) returning id
  ), kept as (
    insert into add_requests (caller, token, pet_id, name, category_id, status)
    select $1, $2, id, $4::text, $5::bigint, $6::text from added
    on conflict (caller, token) do update
    set pet_id = excluded.pet_id, name = excluded.name, category_id = excluded.category_id,
        status = excluded.status, created_at = now()
  )
  select id, earlier, same from earlier union all select id, false, false from added`;
