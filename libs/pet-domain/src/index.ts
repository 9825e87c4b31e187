export { type Category, CATEGORY_FIELDS, categoryJson } from './category.js';
export { CategoryEvent, type CategoryEventType } from './category-event.js';
export { CategoryId } from './category-id.js';
export { CategoryName } from './category-name.js';
export {
  CategoryInUseError,
  CategoryNameTakenError,
  type CategoryPage,
  type CategoryPageRequest,
  type CategoryStore,
  type PutOutcome,
} from './category-store.js';
export { FreeText, type FreeTextFlaw } from './free-text.js';
export { INT64_MAX, isPositiveInt64 } from './int64.js';
export type { FieldKind, Fields } from './fields.js';
export { jsonPieces, jsonTextOf } from './fields-json.js';
export { InvalidStatusTransitionError } from './invalid-status-transition.error.js';
export { NEW_PET_FIELDS, type NewPet, type Pet, PET_FIELDS } from './pet.js';
export { PetEvent, type PetEventType } from './pet-event.js';
export type { PetFilter } from './pet-filter.js';
export { PetId } from './pet-id.js';
export { PetIdList } from './pet-id-list.js';
export { petJson } from './pet-json.js';
export type { PetInventory, PetInventoryStore } from './pet-inventory.js';
export type { PetListPosition } from './pet-list-position.js';
export { type PetHold, PetHeldByOrderError, requireRemovable } from './pet-hold.js';
export { PetName } from './pet-name.js';
export { PageLimit, type PetPage, type PetPageRequest, type PetsByIdsRequest } from './pet-page.js';
export { patchPet, type PetPatch, previousValues } from './pet-patch.js';
export { PetStatus } from './pet-status.js';
export { isAllowedTransition, STATUS_TRANSITIONS, targetsOf } from './pet-status-transitions.js';
export type { PetStore } from './pet-store.js';
export { StoreUnavailableError } from './store-unavailable.error.js';
export { Transaction, type UnitOfWork } from './unit-of-work.js';
