import type { NewPet, Pet } from './pet.js';
import type { PetId } from './pet-id.js';
import type { PetPage, PetPageRequest } from './pet-page.js';

/**
 * Where animals are kept. The domain owns this port; an adapter implements it.
 *
 * Every method rejects with {@link PetStoreUnavailable} when the store cannot be reached.
 */
export interface PetStore {
  /** One page, newest first. Its cost grows neither with the position nor with the number of animals. */
  list(request: PetPageRequest): Promise<PetPage>;
  /** Keeps a new animal; once this resolves it survives the death of any process. */
  add(pet: NewPet): Promise<Pet>;
  /** The animal with this id, or `undefined`. */
  find(id: PetId): Promise<Pet | undefined>;
}

/** The store did not answer: nothing is known to have changed, and trying again later may help. */
export class PetStoreUnavailable extends Error {
  override readonly name = 'PetStoreUnavailable';
}
