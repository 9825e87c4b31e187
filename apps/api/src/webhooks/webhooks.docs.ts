import { PageLimit } from '@petstore/pet-domain';
import { DeliveryStatus, MAX_WEBHOOKS_PER_KEY, WebhookStatus } from '@petstore/webhook';
import type { Parameter, ResourceOptions } from '../operations/operation.js';
import { arrayOf, INT64_SCHEMA } from '../operations/schemas.js';
import { RecoveryDto, WebhookDeliveryDto } from './delivery.dto.js';
import { WEBHOOK_EVENTS } from './webhook-events.js';
import { WebhookDto, WebhookWithSecretDto } from './webhook.dto.js';

const TAG = {
  name: 'Webhooks',
  description: 'Events delivered to endpoints of the key, signed and attempted again.',
};

export const WEBHOOKS: ResourceOptions = {
  tag: TAG,
  models: [WebhookDto, WebhookWithSecretDto],
  schemas: {
    Webhooks: arrayOf('Webhook', MAX_WEBHOOKS_PER_KEY, 'All webhooks of the key, newest first.'),
    WebhookStatus: {
      type: 'string',
      enum: [...WebhookStatus.ALL],
      description: 'Whether events are delivered.',
    },
  },
  webhooks: WEBHOOK_EVENTS,
};

export const DELIVERIES: ResourceOptions = {
  tag: TAG,
  models: [WebhookDeliveryDto, RecoveryDto],
  schemas: {
    WebhookDeliveries: arrayOf('WebhookDelivery', PageLimit.MAX, 'One page of deliveries, newest first.'),
    DeliveryStatus: {
      type: 'string',
      enum: [...DeliveryStatus.ALL],
      description: 'State of a delivery.',
    },
  },
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

/** Of all operations on webhooks. */
export const MANAGED = { since: '1.1.0', scope: 'webhooks:manage' } as const;
/** Of those on one webhook. */
export const MANAGED_ONE = { ...MANAGED, params: [WEBHOOK_ID] } as const;

export const SHOP = {
  id: 3,
  url: 'https://shop.example/petstore',
  types: ['pet.*'],
  description: 'The web shop.',
  status: 'enabled',
  createdAt: '2026-11-21T19:12:07.123Z',
};
export const SHOP_WITH_SECRET = { ...SHOP, secret: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=' };
export const FAILING = {
  ...SHOP,
  status: 'disabled',
  disabledReason: 'failing',
  failingSince: '2026-11-16T18:00:00.000Z',
};

const DELIVERY = { id: 7311, eventId: 1042, type: 'pet.updated' };
const DUE = { status: 'pending', attempts: 0, nextAttemptAt: '2026-11-21T19:12:07.123Z' };

export const TEST_DELIVERY = { id: 7312, type: 'webhook.test', ...DUE };
export const DUE_DELIVERY = { ...DELIVERY, ...DUE };
export const RETRIED_DELIVERY = {
  ...DELIVERY,
  status: 'pending',
  attempts: 2,
  lastAttemptAt: '2026-11-21T19:12:12.400Z',
  nextAttemptAt: '2026-11-21T19:17:12.400Z',
  responseStatus: 503,
  error: 'http_status',
};
