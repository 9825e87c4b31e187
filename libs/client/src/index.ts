export { PetStoreClient } from './pet-store-client.js';
export type { CategoriesClient } from './categories-client.js';
export type { OrdersClient } from './orders-client.js';
export type { WebhooksClient } from './webhooks-client.js';
export type {
  CallOptions,
  CreateOptions,
  FollowOptions,
  PetStoreClientOptions,
  PutOptions,
  ReasonOptions,
  ResponseInfo,
  ResponseObserver,
  RotateOptions,
  WriteOptions,
} from './client-options.js';
export type * from './resources.js';
export {
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
  verifyWebhook,
} from './verify-webhook.js';
export { type EventOf, type EventPattern, type EventType, isEvent } from './events.js';
export { etagOf } from './response-headers.js';
export {
  ApiError,
  type ApiErrorDetails,
  type ErrorCode,
  isApiError,
  NoResponseError,
  PetStoreError,
  PositionGoneError,
  PreconditionFailedError,
  UnexpectedResponseError,
} from './errors.js';
export type { LimitState, LimitWindow } from './limit-state.js';
export { parseJson, toJson } from './json.js';
