import type { Pet } from './pet.js';
import type { Success } from './read-response.js';

/** Beside the animals, not in them: an animal has its four members, and a changed copy has no tag. */
const TAGS = new WeakMap<Pet, string>();

/** The animal of a response that holds one; its `ETag` is kept. */
export function withTagOf({ headers, body }: Success): Pet {
  const pet = body as Pet;
  const tag = headers.get('ETag');
  if (tag !== null) TAGS.set(pet, tag);
  return pet;
}

/**
 * Entity tag of an animal, for `ifMatch` of a later write; a text that can be stored.
 *
 * @param pet the object that `createPet`, `updatePet` or `getPet` returned, not a copy of it
 * @throws TypeError for any other object, such as an animal of a list: lists have no tags of their animals
 */
export function etagOf(pet: Pet): string {
  const tag = TAGS.get(pet);
  if (tag === undefined) throw new TypeError('The object is not from createPet, updatePet or getPet.');
  return tag;
}
