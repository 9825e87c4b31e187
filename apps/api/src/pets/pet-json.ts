import type { Pet, PetName } from '@petstore/pet-domain';

/**
 * An animal as JSON text (specification, section 2, Pet). The int64 members are written as the digits
 * they are: JSON.stringify could only print them as strings or round them.
 */
export function petJson({ id, name, categoryId, status }: Pet): string {
  return `{"id":${id},"name":${quoted(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

/** A list of animals as a bare JSON array (specification, section 2, Pets). */
export function petsJson(pets: readonly Pet[]): string {
  let json = '';
  for (const pet of pets) json += json === '' ? petJson(pet) : `,${petJson(pet)}`;
  return `[${json}]`;
}

/** A name has no control characters and no lone surrogates, so that only two characters need an escape. */
function quoted(name: PetName): string {
  return name.includes('"') || name.includes('\\') ? JSON.stringify(name) : `"${name}"`;
}
