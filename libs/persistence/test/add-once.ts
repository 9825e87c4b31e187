import type { NewPet, Transaction } from '@petstore/pet-domain';
import { petJson } from '@petstore/pet-domain';
import type { Database } from '../src/database/database.js';
import type {
  IdempotencyKey,
  IdempotentResult,
  StoredAnswer,
} from '../src/idempotency/idempotent-request.js';

/** Adds an animal and responds as the API does. */
export async function addWithin(
  database: Database,
  pet: NewPet,
  transaction: Transaction,
): Promise<StoredAnswer> {
  const added = await database.pets.add(pet, transaction);
  return { status: 201, location: `/v1/pets/${added.id}`, body: petJson(added) };
}

/** Adds an animal at most once, as the API does with an Idempotency-Key. */
export function addOnce(database: Database, pet: NewPet, key: IdempotencyKey): Promise<IdempotentResult> {
  const { name, categoryId, status } = pet;
  const request = { ...key, operation: 'createPet', input: { name, categoryId, status } };
  return database.idempotency.run(request, (transaction) => addWithin(database, pet, transaction));
}
