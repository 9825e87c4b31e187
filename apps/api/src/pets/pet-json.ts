import type { Pet } from '@petstore/pet-domain';

/**
 * An animal as JSON text (specification, section 2, Pet). The int64 members are written as the digits
 * they are: JSON.stringify could only print them as strings or round them.
 */
export function petJson({ id, name, categoryId, status }: Pet): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

/** A list of animals as a bare JSON array (specification, section 2, Pets). */
export function petsJson(pets: readonly Pet[]): string {
  return `[${pets.map(petJson).join(',')}]`;
}
