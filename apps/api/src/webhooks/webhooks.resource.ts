import type { SchemaObject } from '@petstore/http-kernel';
import { PageLimit } from '@petstore/pet-domain';
import { DeliveryStatus, MAX_WEBHOOKS_PER_KEY, WebhookStatus } from '@petstore/webhook';
import type { Resource } from '../operations/contract-controller.decorator.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import type { Parameter } from '../operations/operation.js';
import { WEBHOOK_EVENTS } from './webhook-events.js';
import { RecoveryDto, WebhookDeliveryDto, WebhookDto, WebhookWithSecretDto } from './webhook.dto.js';

/** Where webhooks are, below the base of the API. */
export const WEBHOOKS_PATH = '/webhooks';
export const WEBHOOK_PATH = `${WEBHOOKS_PATH}/:webhookId`;

/** Which release the operations came with. */
export const SINCE = '1.1.0';
export const SCOPE = 'webhooks:manage';

const TAG = {
  name: 'Webhooks',
  description: 'Events delivered to endpoints of the key, signed and attempted again.',
};

/** Named arrays: decorators can only make nameless ones. */
const WEBHOOKS: SchemaObject = {
  type: 'array',
  maxItems: MAX_WEBHOOKS_PER_KEY,
  items: { $ref: '#/components/schemas/Webhook' },
  description: 'All webhooks of the key, newest first.',
};
const WEBHOOK_DELIVERIES: SchemaObject = {
  type: 'array',
  maxItems: PageLimit.MAX,
  items: { $ref: '#/components/schemas/WebhookDelivery' },
  description: 'One page of deliveries, newest first.',
};
const WEBHOOK_STATUS: SchemaObject = {
  type: 'string',
  enum: [...WebhookStatus.ALL],
  description: 'Whether events are delivered.',
};
const DELIVERY_STATUS: SchemaObject = {
  type: 'string',
  enum: [...DeliveryStatus.ALL],
  description: 'State of a delivery.',
};

export const WEBHOOKS_RESOURCE: Resource = {
  tag: TAG,
  models: [WebhookDto, WebhookWithSecretDto],
  schemas: { Webhooks: WEBHOOKS, WebhookStatus: WEBHOOK_STATUS },
  webhooks: WEBHOOK_EVENTS,
};

export const DELIVERIES_RESOURCE: Resource = {
  tag: TAG,
  models: [WebhookDeliveryDto, RecoveryDto],
  schemas: { WebhookDeliveries: WEBHOOK_DELIVERIES, DeliveryStatus: DELIVERY_STATUS },
};

export const WEBHOOK_ID: Parameter = {
  name: 'webhookId',
  description: 'Id of the webhook.',
  schema: INT64_SCHEMA,
  example: 3,
};
export const DELIVERY_ID: Parameter = {
  name: 'deliveryId',
  description: 'Id of the delivery.',
  schema: INT64_SCHEMA,
  example: 7311,
};
