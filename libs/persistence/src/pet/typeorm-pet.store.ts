import {
  type AddOutcome,
  type AddRequest,
  type NewPet,
  type Pet,
  type PetId,
  type PetPage,
  type PetPageRequest,
  type PetStore,
  PetStoreUnavailable,
} from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { isConnectionFailure } from '../connection-failure.js';
import { selectPage } from './pet-page.query.js';
import { addOnce } from './add-once.js';
import { PetRow, toPet, toRow } from './pet.row.js';

/**
 * Animals in PostgreSQL. Given the manager of a transaction, it works inside that transaction.
 */
export class TypeOrmPetStore implements PetStore {
  constructor(private readonly manager: EntityManager) {}

  async list(request: PetPageRequest): Promise<PetPage> {
    // One row more than the page tells whether there is another page, without counting anything.
    const rows = await answered(selectPage(this.manager, request, request.limit + 1).getMany());
    return { pets: rows.slice(0, request.limit).map(toPet), more: rows.length > request.limit };
  }

  async add(pet: NewPet): Promise<Pet> {
    const { identifiers } = await answered(this.manager.insert(PetRow, toRow(pet)));
    const [key] = identifiers as [Pick<Pet, 'id'>];
    return { id: key.id, name: pet.name, categoryId: pet.categoryId, status: pet.status };
  }

  addOnce(pet: NewPet, request: AddRequest): Promise<AddOutcome> {
    return answered(addOnce(this.manager, pet, request));
  }

  async find(id: PetId): Promise<Pet | undefined> {
    const row = await answered(this.manager.findOneBy(PetRow, { id }));
    return row === null ? undefined : toPet(row);
  }
}

/** The result of a query, or {@link PetStoreUnavailable} when the database did not give one. */
async function answered<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    if (!isConnectionFailure(cause)) throw cause;
    throw new PetStoreUnavailable('The database cannot be reached or does not answer.', { cause });
  }
}
