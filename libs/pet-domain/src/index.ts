export { Category, CATEGORY_FIELDS, categoryJson } from './category.js';
export { CategoryInUseError, CategoryNameTakenError } from './category.errors.js';
export { CategoryEvent } from './category-event.js';
export { CategoryId } from './category-id.js';
export { CategoryName } from './category-name.js';
export type { CategoryPage, CategoryPageRequest } from './category-page.js';
export { FreeText } from './free-text.js';
export { HttpsUrl } from './https-url.js';
export { INT64_MAX, isPositiveInt64 } from './int64.js';
export { Day } from './day.js';
export { type Field, type FieldKind, type Fields, fieldsOf } from './fields.js';
export { jsonTextOf } from './fields-json.js';
export { InvalidStatusTransitionError } from './invalid-status-transition.error.js';
export {
  NEW_PET_FIELDS,
  type NewPet,
  Pet,
  PET_FIELDS,
  petJson,
  type PetPatch,
  type PetState,
} from './pet.js';
export { PetEvent } from './pet-event.js';
export type { PetFilter } from './pet-filter.js';
export { PetId } from './pet-id.js';
export { PetIdList } from './pet-id-list.js';
export { inventoryJson, type PetInventory } from './pet-inventory.js';
export { PetName } from './pet-name.js';
export { PageLimit, type PetPage, type PetPageRequest, type PetsByIdsRequest } from './pet-page.js';
export { PetProfile } from './pet-profile.js';
export { PetHeldByOrderError, type PetReservation } from './pet-reservation.js';
export { PetStatus } from './pet-status.js';
export { InvalidProfileError } from './profile-rules.js';
export { StoreUnavailableError } from './store-unavailable.error.js';
