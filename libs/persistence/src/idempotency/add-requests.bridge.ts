import { AddRequest, type AddOutcome, type NewPet, type PetId } from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { removeInBatches } from '../remove-in-batches.js';
import { keptToken } from './kept-token.js';

/**
 * Carries out a request unless it has been already. One transaction holds a lock that only this request's
 * twins want; whoever does not get it at once knows that a twin is at work.
 *
 * Written as SQL, in two statements: TypeORM's builders take the process about twice as long.
 */
export function addOnce(manager: EntityManager, pet: NewPet, request: AddRequest): Promise<AddOutcome> {
  const { caller } = request;
  const { name, categoryId, status } = pet;
  const token = keptToken(request.token);
  return manager.transaction(async (transaction): Promise<AddOutcome> => {
    if (!(await lock(transaction, request))) return { kind: 'in_progress' };
    const parameters = [caller, token, request.token, name, categoryId, status, REMEMBERED_FOR];
    const [{ id, earlier, same }] = await transaction.query<[CarriedOut]>(CARRY_OUT, parameters);
    if (!earlier) return { kind: 'added', pet: { id, ...pet } };
    return same ? { kind: 'replayed', pet: { id, ...pet } } : { kind: 'token_reused' };
  });
}

interface CarriedOut {
  /** Of the animal, which an earlier request may have added. */
  readonly id: PetId;
  /** Whether there was an earlier request. */
  readonly earlier: boolean;
  /** Whether that was for the same animal. */
  readonly same: boolean;
}

const REMEMBERED_FOR = String(AddRequest.REMEMBERED_FOR);

/**
 * A statement of its own after the lock, so that it sees what a twin has committed by then. Time is the database's,
 * which all processes share. Earlier versions kept long tokens as they were: their rows are found until they are
 * forgotten. A row in the way of the new one can only be one that is forgotten.
 */
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

/** Removes what is forgotten anyway, so that the table holds a day's requests. */
export function forgetAddRequests(manager: EntityManager): Promise<number> {
  return removeInBatches(manager, FORGET, AddRequest.REMEMBERED_FOR);
}

const FORGET = `
  delete from add_requests where (caller, token) in (
    select caller, token from add_requests
    where created_at <= now() - $1 * interval '1 millisecond' order by created_at limit $2)`;

/** Until the end of the transaction. Two requests whose hashes are equal only ask each other to wait. */
async function lock(transaction: EntityManager, { caller, token }: AddRequest): Promise<boolean> {
  const [row] = await transaction.query<[{ locked: boolean }]>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked`,
    [JSON.stringify([caller, token])],
  );
  return row.locked;
}
