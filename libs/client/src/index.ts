export { PetStoreClient } from './pet-store-client.js';
export type {
  CallOptions,
  CreateOptions,
  FollowOptions,
  PetStoreClientOptions,
  PutOptions,
  ReasonOptions,
  RotateOptions,
  WriteOptions,
} from './client-options.js';
export type { Inventory, ListPets, NewPet, Pet, PetPage, PetPatch, PetStatus } from './pet.js';
export type { CategoriesClient } from './categories-client.js';
export type { Category, CategoryPage, ListCategories, NewCategory } from './category.js';
export type { OrdersClient } from './orders-client.js';
export type { ListOrders, NewOrder, Order, OrderPage, OrderStatus } from './order.js';
export type { WebhooksClient } from './webhooks-client.js';
export type {
  DeliveryPage,
  ListDeliveries,
  NewWebhook,
  Recovery,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WebhookWithSecret,
} from './webhook.js';
export {
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
  verifyWebhook,
} from './verify-webhook.js';
export type { EventPage, ListEvents, PetStoreEvent, PositionedEvent } from './event.js';
export { type EventOf, type EventPattern, type EventType, isEvent } from './event-type.js';
export type { Usage } from './usage.js';
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
export type { ResponseInfo, ResponseObserver } from './response-info.js';
export { parseJson, toJson } from './json.js';
