import { type NewPet, PetEvent, petJson } from '@petstore/pet-domain';
import type {
  IdempotencyKey,
  IdempotentResult,
  StoredAnswer,
} from '../src/idempotency/idempotent-request.js';
import type { Transaction } from '../src/unit-of-work/transaction.js';
import type { Stores } from './stores.js';

/** Creates a pet and responds as the API does. */
async function addWithin(tx: Transaction, wanted: NewPet): Promise<StoredAnswer> {
  const pet = await tx.pets.insert(wanted);
  tx.emit(PetEvent.created(pet));
  return { status: 201, location: `/v1/pets/${pet.id}`, body: petJson(pet) };
}

/** Creates a pet at most once, as the API does with an Idempotency-Key. */
export function addOnce(
  { idempotency }: Pick<Stores, 'idempotency'>,
  pet: NewPet,
  key: IdempotencyKey,
): Promise<IdempotentResult> {
  const { name, categoryId, status } = pet;
  const request = { ...key, operation: 'createPet', input: { name, categoryId, status } };
  return idempotency.run(request, (tx) => addWithin(tx, pet));
}
