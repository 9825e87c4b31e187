import type { Pet } from './pet.js';
import type { PetName } from './pet-name.js';

/** What stands before, between and after the values of an animal's JSON text: id, name, categoryId, status. */
export const PET_JSON = ['{"id":', ',"name":"', '","categoryId":', ',"status":"', '"}'] as const;

/**
 * An animal as JSON text (specification, section 2, Pet). The int64 members are written as the digits
 * they are: JSON.stringify could only print them as strings or round them.
 */
export function petJson({ id, name, categoryId, status }: Pet): string {
  const [beforeId, beforeName, beforeCategoryId, beforeStatus, end] = PET_JSON;
  return `${beforeId}${id}${beforeName}${escaped(name)}${beforeCategoryId}${categoryId}${beforeStatus}${status}${end}`;
}

/** A name has no control characters and no lone surrogates, so that only two characters need an escape. */
function escaped(name: PetName): string {
  return name.includes('"') || name.includes('\\') ? name.replace(/["\\]/g, '\\$&') : name;
}
