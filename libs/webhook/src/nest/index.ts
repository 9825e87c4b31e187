export { WebhookDeliveryModule, type WebhookDeliveryOptions } from './webhook-delivery.module.js';
