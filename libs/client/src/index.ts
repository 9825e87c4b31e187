export { PetStoreClient } from './pet-store-client.js';
export type {
  CallOptions,
  CreateOptions,
  FollowOptions,
  PetStoreClientOptions,
  WriteOptions,
} from './client-options.js';
export type { Inventory, ListPets, NewPet, Pet, PetPage, PetPatch, PetStatus } from './pet.js';
export type { EventPage, ListEvents, PetStoreEvent, PositionedEvent } from './event.js';
export { etagOf } from './entity-tags.js';
export {
  ApiError,
  type ApiErrorDetails,
  type ErrorCode,
  isApiError,
  NoAnswerError,
  PetStoreError,
  PositionGoneError,
  PreconditionFailedError,
  UnexpectedResponseError,
} from './errors.js';
export type { LimitState, LimitWindow } from './limit-state.js';
export { parseJson, toJson } from './json.js';
