export { DeliveryId } from './delivery/delivery-id.js';
export { DeliveryStatus } from './delivery/delivery-status.js';
export {
  DeliveryNotFoundError,
  type DeliveryPage,
  type DeliveryPageRequest,
  type DeliveryStore,
  type EventsSeen,
  MAX_RECOVERED,
  type Recovery,
  type RecoveryRequest,
} from './delivery/delivery-store.js';
export { WebhookId } from './endpoint/webhook-id.js';
export { type DisabledReason, WebhookStatus } from './endpoint/webhook-status.js';
export {
  type StoredWebhook,
  WebhookDisabledError,
  WebhookLimitReachedError,
  type WebhookRequest,
  type WebhookStore,
  WebhookUrlTakenError,
} from './endpoint/webhook-store.js';
export {
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  patchWebhook,
  type Webhook,
  type WebhookPatch,
} from './endpoint/webhook.js';
