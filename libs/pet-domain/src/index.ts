export {
  Category,
  CATEGORY_EVENTS,
  CATEGORY_FIELDS,
  CategoryEvent,
  CategoryId,
  CategoryInUseError,
  categoryJson,
  CategoryName,
  type CategoryNames,
  CategoryNameTakenError,
  type PreviousCategory,
} from './category.js';
export { Day } from './day.js';
export { type DomainEvent, type EventDeclarations, type EventMember, eventOf } from './event-declaration.js';
export { FLAT_FIELDS, flatten, flatPath, unflatten } from './flat-profile.js';
export {
  type Field,
  type FieldKind,
  type Fields,
  fieldsOf,
  jsonTextOf,
  optional,
  type OptionalValue,
  resourceOf,
} from './fields.js';
export { type FoldedText, foldedText } from './folded-text.js';
export { FreeText, freeTexts, type FreeTexts } from './free-text.js';
export { HttpsUrl } from './https-url.js';
export { INSTANT } from './instant.js';
export { type Page, PageLimit, type PageRequest } from './page.js';
export {
  NEW_PET_FIELDS,
  type NewPet,
  Pet,
  PET_FIELDS,
  PetHeldByOrderError,
  PetId,
  petJson,
  PetName,
  type PetPatch,
  type PetReservation,
  type PetState,
  type PreviousPet,
} from './pet.js';
export { PET_EVENTS, PetEvent } from './pet-event.js';
export {
  describedPetJson,
  INCLUDED_FIELDS,
  type PetFilter,
  PetIdList,
  PetInclude,
  type PetPageRequest,
  type PetsByIdsRequest,
} from './pet-list.js';
export { isSearch, PET_SEARCH, type PetSearch } from './pet-search.js';
export { type PetTraits, traitsOf, type WantedTraits, wantedTraits } from './pet-traits.js';
export { CURRENCY, InvalidProfileError, PetProfile, type ProfileMembers } from './pet-profile.js';
export {
  InvalidStatusTransitionError,
  INVENTORY_FIELDS,
  inventoryJson,
  type PetInventory,
  PetStatus,
  STATUS_TARGETS,
} from './pet-status.js';
export { StoreUnavailableError } from './store-unavailable.error.js';
export {
  type Branded,
  described,
  type ExactNumber,
  type Int64Id,
  type Members,
  type ObjectValue,
  refined,
  type Refuse,
  type StringEnum,
  type TextValue,
  titled,
  type Value,
  type ValueKind,
  type ValueOf,
  type ValueSchema,
} from './value.js';
export {
  int64,
  INT64_MAX,
  integer,
  listOf,
  number,
  objectOf,
  setOf,
  stringEnum,
  text,
  TRUE_OR_FALSE,
} from './values.js';
