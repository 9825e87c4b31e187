export { AddressPolicy } from './address/address-policy.js';
export { ATTEMPTS_HOURS, MAX_ATTEMPTS } from './delivery/retry-schedule.js';
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
} from './delivery/delivery.js';
export {
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryBacklog,
  type DeliveryQueue,
  DeliveryNotifier,
  FAILING_AFTER_MINUTES,
  type EndedAttempt,
} from './delivery/delivery-queue.js';
export { DELIVERY_OUTCOMES, type DelivererParts, WebhookDeliverer } from './delivery/webhook-deliverer.js';
export {
  type AttemptResult,
  type EndpointChange,
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  Webhook,
  WebhookId,
  type WebhookPatch,
  type WebhookRequest,
  WebhookStatus,
} from './endpoint/webhook.js';
export {
  type ShownWebhook,
  WEBHOOK_FIELDS,
  WEBHOOK_WITH_SECRET_FIELDS,
  webhookJson,
  webhookWithSecretJson,
} from './endpoint/webhook.fields.js';
export {
  WebhookDisabledError,
  WebhookLimitReachedError,
  WebhookUrlTakenError,
} from './endpoint/webhook.errors.js';
export { TEST_EVENT_TYPE, WebhookTypes } from './endpoint/webhook-types.js';
export { WebhookUrl } from './endpoint/webhook-url.js';
export { SecretSealer } from './secret/secret-sealer.js';
export { WebhookSecret } from './secret/webhook-secret.js';
export { TOTAL_TIMEOUT_MS, WebhookSender } from './sending/webhook-sender.js';
