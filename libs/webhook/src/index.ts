export { type AddressJudgement, AddressPolicy } from './address/address-policy.js';
export { WebhookTargets, type WebhookTargetSettings } from './address/webhook-targets.js';
export { DeliveryId } from './delivery/delivery-id.js';
export { signatureOf, type SignedContent } from './delivery/signature.js';
export { WebhookId } from './endpoint/webhook-id.js';
export {
  EVENT_TYPES,
  type EventPattern,
  type OrderEventsAllowed,
  TEST_EVENT_TYPE,
  WebhookTypes,
  type WebhookTypesFlaw,
} from './endpoint/webhook-types.js';
export { WebhookUrl, type WebhookUrlFlaw } from './endpoint/webhook-url.js';
export { SecretNotOpenedError, SecretSealer } from './secret/secret-sealer.js';
export { WebhookSecret } from './secret/webhook-secret.js';
