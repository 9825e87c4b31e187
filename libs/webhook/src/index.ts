export { type AddressJudgement, AddressPolicy } from './address/address-policy.js';
export { WebhookTargets, type WebhookTargetSettings } from './address/webhook-targets.js';
export {
  type AttemptPlace,
  type DeliveryStep,
  isExhausted,
  MAX_ATTEMPTS,
  MAX_DELAY_MS,
  stepAfter,
} from './delivery/retry-schedule.js';
export { DeliveryId } from './delivery/delivery-id.js';
export { DeliveryStatus } from './delivery/delivery-status.js';
export {
  DeliveryNotFoundError,
  type DeliveryPage,
  type DeliveryPageRequest,
  MAX_RECOVERED,
  type Recovery,
  type RecoveryRequest,
} from './delivery/delivery-page.js';
export type {
  Claim,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue,
  DisabledEndpoint,
  SettledAttempt,
} from './delivery/delivery-queue.js';
export type { DelivererLog } from './delivery/deliverer-log.js';
export { DeliverySignal } from './delivery/delivery-signal.js';
export {
  DELIVERY_OUTCOMES,
  type DelivererOptions,
  type DelivererParts,
  type DeliveryObserver,
  type DeliveryOutcome,
  WebhookDeliverer,
} from './delivery/webhook-deliverer.js';
export { signatureOf, type SignedContent } from './delivery/signature.js';
export { type EndpointFailures, isGivenUp } from './endpoint/endpoint-failing.js';
export { WebhookId } from './endpoint/webhook-id.js';
export { type DisabledReason, WebhookStatus } from './endpoint/webhook-status.js';
export {
  type StoredWebhook,
  WebhookDisabledError,
  WebhookLimitReachedError,
  type WebhookRequest,
  WebhookUrlTakenError,
} from './endpoint/webhook-request.js';
export {
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  patchWebhook,
  type Webhook,
  type WebhookPatch,
} from './endpoint/webhook.js';
export {
  EVENT_TYPES,
  type EventPattern,
  TEST_EVENT_TYPE,
  WebhookTypes,
  type WebhookTypesFlaw,
} from './endpoint/webhook-types.js';
export { WebhookUrl, type WebhookUrlFlaw } from './endpoint/webhook-url.js';
export { SecretNotOpenedError, SecretSealer } from './secret/secret-sealer.js';
export { WebhookSecret } from './secret/webhook-secret.js';
export { type ResolveAddresses, ResolutionError } from './sending/address-resolver.js';
export { type SenderOptions, type WebhookMessage, WebhookSender } from './sending/webhook-sender.js';
export type { AttemptOutcome } from './sending/attempt-outcome.js';
export { DELIVERY_ERRORS, type DeliveryError } from './sending/delivery-error.js';
