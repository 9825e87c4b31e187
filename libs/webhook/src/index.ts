export { AddressPolicy } from './address/address-policy.js';
export { GIVE_UP_AFTER, MAX_ATTEMPTS } from './delivery/retry-schedule.js';
export {
  type Delivery,
  DELIVERY_FIELDS,
  DeliveryId,
  deliveryJson,
  type DeliveryPage,
  type DeliveryPageRequest,
  DeliveryStatus,
  MAX_REPLAYED,
  type Replay,
  type ReplayRequest,
} from './delivery/delivery.js';
export {
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryBacklog,
  type DeliveryQueue,
  DeliveryNotifier,
  type EndpointChange,
  FAILING_AFTER_MINUTES,
  type EndedAttempt,
} from './delivery/delivery-queue.js';
export { DELIVERY_OUTCOMES, type DelivererParts, WebhookDeliverer } from './delivery/webhook-deliverer.js';
export {
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  Webhook,
  WebhookId,
  webhookJson,
  type WebhookRequest,
  WebhookStatus,
} from './endpoint/webhook.js';
export {
  DeliveryNotFoundError,
  WebhookDisabledError,
  WebhookLimitReachedError,
  WebhookNotFoundError,
  WebhookUrlTakenError,
} from './endpoint/webhook.errors.js';
export { TEST_EVENT_TYPE, WebhookTypes } from './endpoint/webhook-types.js';
export { WebhookUrl } from './endpoint/webhook-url.js';
export { SecretSealer } from './secret/secret-sealer.js';
export { WebhookSecret } from './secret/webhook-secret.js';
export { WebhookSender } from './sending/webhook-sender.js';
