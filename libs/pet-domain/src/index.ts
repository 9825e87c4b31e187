export { CategoryId } from './category-id.js';
export { INT64_MAX, isPositiveInt64 } from './int64.js';
export type { NewPet, Pet } from './pet.js';
export { PetCursor } from './pet-cursor.js';
export { PetId } from './pet-id.js';
export { PetName, type PetNameFlaw } from './pet-name.js';
export { PageLimit, type PetPage, type PetPageRequest } from './pet-page.js';
export { PetStatus } from './pet-status.js';
export { type AddOutcome, AddRequest, type PetStore, PetStoreUnavailable } from './pet-store.js';
