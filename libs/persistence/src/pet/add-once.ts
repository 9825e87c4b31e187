import { AddRequest, type AddOutcome, type NewPet, type Pet } from '@petstore/pet-domain';
import { type EntityManager, type FindOperator, In, Raw } from 'typeorm';
import { removeInBatches } from '../remove-in-batches.js';
import { AddRequestRow, isFor, petIdOf } from './add-request.row.js';
import { keptToken } from './kept-token.js';
import { PetRow, toRow } from './pet.row.js';

/**
 * Carries out a request unless it has been already. One transaction holds a lock that only this request's
 * twins want; whoever does not get it at once knows that a twin is at work.
 */
export function addOnce(manager: EntityManager, pet: NewPet, request: AddRequest): Promise<AddOutcome> {
  const { caller } = request;
  const token = keptToken(request.token);
  return manager.transaction(async (transaction): Promise<AddOutcome> => {
    if (!(await lock(transaction, request))) return { kind: 'in_progress' };
    // Earlier versions kept long tokens as they were: their rows are found until they are forgotten.
    const tokens = In([...new Set([token, request.token])]);
    const earlier = await transaction.findOneBy(AddRequestRow, {
      caller,
      token: tokens,
      createdAt: remembered(),
    });
    if (earlier !== null) {
      return isFor(earlier, pet)
        ? { kind: 'replayed', pet: { id: petIdOf(earlier), ...pet } }
        : { kind: 'token_reused' };
    }
    const { identifiers } = await transaction.insert(PetRow, toRow(pet));
    const [{ id }] = identifiers as [Pick<Pet, 'id'>];
    // A row of the same name can only be one that is forgotten.
    const row = { caller, token, petId: id, ...toRow(pet), createdAt: () => 'now()' };
    await transaction.upsert(AddRequestRow, row, ['caller', 'token']);
    return { kind: 'added', pet: { id, ...pet } };
  });
}

/** Removes what is forgotten anyway, so that the table holds a day's requests. */
export function forgetAddRequests(manager: EntityManager): Promise<number> {
  return removeInBatches(manager, FORGET, AddRequest.REMEMBERED_FOR);
}

const FORGET = `
  delete from add_requests where (caller, token) in (
    select caller, token from add_requests
    where created_at <= now() - $1 * interval '1 millisecond' order by created_at limit $2)`;

/** By the database's clock, which all processes share. */
function remembered(): FindOperator<Date> {
  const seconds = AddRequest.REMEMBERED_FOR / 1000;
  return Raw((column) => `${column} > now() - interval '${seconds} seconds'`) as FindOperator<Date>;
}

/** Until the end of the transaction. Two requests whose hashes are equal only ask each other to wait. */
async function lock(transaction: EntityManager, { caller, token }: AddRequest): Promise<boolean> {
  const [row] = await transaction.query<[{ locked: boolean }]>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked`,
    [JSON.stringify([caller, token])],
  );
  return row.locked;
}
