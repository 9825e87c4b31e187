export {
  type CallOptions,
  type CreateOptions,
  PetStoreClient,
  type PetStoreClientOptions,
} from './pet-store-client.js';
export type { ListPets, NewPet, Pet, PetPage, PetStatus } from './pet.js';
export { ApiError, type ErrorCode, isApiError, NoAnswer, PetStoreError, UnexpectedAnswer } from './errors.js';
export type { LimitState, LimitWindow } from './limit-state.js';
export { parseJson, toJson } from './json.js';
