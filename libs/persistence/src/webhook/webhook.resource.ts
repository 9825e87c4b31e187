import { DELIVERY_READS } from './delivery-statements.js';
import { WebhookDeliveryRow } from './webhook-delivery.row.js';
import { WebhookSecretRow } from './webhook-secret.row.js';
import { REMOVED_WEBHOOKS } from './webhook.retention.js';
import { WebhookRow } from './webhook.row.js';
import { WEBHOOK_READS } from './webhook-statements.js';

/** What webhooks bring to the database. */
export const WEBHOOK_RESOURCE = {
  rows: [WebhookRow, WebhookSecretRow, WebhookDeliveryRow],
  reads: [...WEBHOOK_READS, ...DELIVERY_READS],
  retention: REMOVED_WEBHOOKS,
};
