export { DeliveryId } from './delivery/delivery-id.js';
export { WebhookId } from './endpoint/webhook-id.js';
