import { CreateWebhooks1795179600000 } from '../migrations/1795179600000-create-webhooks.js';
import { WebhookDeliveryRow } from './webhook-delivery.row.js';
import { WebhookSecretRow } from './webhook-secret.row.js';
import { WebhookRow } from './webhook.row.js';

/** What webhooks bring to the database. */
export const WEBHOOK_RESOURCE = {
  rows: [WebhookRow, WebhookSecretRow, WebhookDeliveryRow],
  migrations: [CreateWebhooks1795179600000],
};
