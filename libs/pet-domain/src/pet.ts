import type { CategoryId } from './category-id.js';
import type { Fields } from './fields.js';
import type { PetId } from './pet-id.js';
import type { PetName } from './pet-name.js';
import type { PetStatus } from './pet-status.js';

/** An animal as somebody asks for it to be added: everything but the id (specification, section 2, NewPet). */
export interface NewPet {
  readonly name: PetName;
  readonly categoryId: CategoryId;
  readonly status: PetStatus;
}

/** An animal available for adoption (specification, section 2, Pet). */
export interface Pet extends NewPet {
  /** Assigned by the store; a later animal has a greater one. */
  readonly id: PetId;
}

/** The fields of an animal that whoever adds it gives. */
export const NEW_PET_FIELDS: Fields<NewPet> = { name: 'text', categoryId: 'int64', status: 'word' };

/** All fields of an animal, in the order of its JSON (specification, section 2, Pet). */
export const PET_FIELDS: Fields<Pet> = { id: 'int64', ...NEW_PET_FIELDS };
