import type { NewPet, Pet } from './pet.js';
import type { PetHold } from './pet-hold.js';
import type { PetId } from './pet-id.js';
import type { PetPage, PetPageRequest, PetsByIdsRequest } from './pet-page.js';
import type { Transaction } from './unit-of-work.js';

/**
 * Where animals are kept. The domain owns this port; an adapter implements it.
 *
 * `list`, `listByIds` and `find` give the JSON text that readers get (as {@link petJson} writes it), straight from what the
 * adapter keeps: nobody looks at the values, and to make them first would double the cost of a list.
 *
 * Every method rejects with `StoreUnavailableError` when the store cannot be reached.
 */
export interface PetStore {
  /** One page, newest first. Its cost grows neither with the position nor with the number of animals. */
  list(request: PetPageRequest): Promise<PetPage>;
  /** Those of these animals that exist and meet the filter, newest first: a JSON array in UTF-8, as in a page. */
  listByIds(request: PetsByIdsRequest): Promise<Uint8Array>;
  /**
   * Keeps a new animal, together with its event; once this resolves it survives the death of any process.
   *
   * @param transaction keeps it together with what else is changed by it; then it survives once that is committed
   */
  add(pet: NewPet, transaction?: Transaction): Promise<Pet>;
  /** The animal with this id as JSON in UTF-8, for readers; `undefined` when there is none. */
  find(id: PetId): Promise<Uint8Array | undefined>;
  /**
   * Changes the animal with this id as `decide` says, together with its event; nothing when `decide` gives the animal
   * that it was given. What `decide` throws passes unchanged, and nothing is changed.
   *
   * @param decide is given the animal as it is now, and what an order has made of it; called again when the animal was changed by others meanwhile
   * @returns the animal as it is afterwards; `undefined` when there is none
   */
  change(id: PetId, decide: (pet: Pet, hold: PetHold | undefined) => Pet): Promise<Pet | undefined>;
  /**
   * Removes the animal with this id for ever, together with its event. Its id is never given again.
   *
   * @param check is given the animal as it is now, and what an order has made of it; what it throws passes unchanged, and nothing is removed
   * @returns whether there was one
   */
  remove(id: PetId, check?: (pet: Pet, hold: PetHold | undefined) => void): Promise<boolean>;
}
