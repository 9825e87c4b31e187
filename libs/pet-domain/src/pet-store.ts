import type { NewPet, Pet } from './pet.js';
import type { PetId } from './pet-id.js';
import type { PetPage, PetPageRequest } from './pet-page.js';

/**
 * Where animals are kept. The domain owns this port; an adapter implements it.
 *
 * `list` and `find` give the JSON text that readers get (as {@link petJson} writes it), straight from what the
 * adapter keeps: nobody looks at the values, and to make them first would double the cost of a list.
 *
 * Every method rejects with `StoreUnavailableError` when the store cannot be reached.
 */
export interface PetStore {
  /** One page, newest first. Its cost grows neither with the position nor with the number of animals. */
  list(request: PetPageRequest): Promise<PetPage>;
  /** Keeps a new animal; once this resolves it survives the death of any process. */
  add(pet: NewPet): Promise<Pet>;
  /**
   * Keeps a new animal at most once for one {@link AddRequest}, however often and from wherever it comes.
   * The animal and the fact that the request was carried out are kept together or not at all.
   */
  addOnce(pet: NewPet, request: AddRequest): Promise<AddOutcome>;
  /** The animal with this id as JSON in UTF-8, for readers; `undefined` when there is none. */
  find(id: PetId): Promise<Uint8Array | undefined>;
  /** The animal with this id as a value, for rules that look at it; `undefined` when there is none. */
  load(id: PetId): Promise<Pet | undefined>;
}

/** One caller's wish to add an animal, recognised when it comes again within {@link AddRequest.REMEMBERED_FOR}. */
export interface AddRequest {
  /** Whose wish it is; others may use the same token for theirs. */
  readonly caller: string;
  /** What the caller calls it, 1 to 255 characters. */
  readonly token: string;
}

export const AddRequest = {
  /** Milliseconds for which a request is remembered: 24 hours. */
  REMEMBERED_FOR: 24 * 60 * 60 * 1000,
} as const;

/** What became of an {@link AddRequest}. */
export type AddOutcome =
  /** Carried out now, or earlier (`replayed`) for the same animal: nothing was added then. */
  | { readonly kind: 'added' | 'replayed'; readonly pet: Pet }
  /** The same request is being carried out at this moment; nothing was added. */
  | { readonly kind: 'in_progress' }
  /** The token was used for another animal; nothing was added. */
  | { readonly kind: 'token_reused' };
