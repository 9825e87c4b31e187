import { described, PageLimit } from '@petstore/pet-domain';
import {
  DeliveryStatus,
  MAX_WEBHOOKS_PER_KEY,
  WebhookDisabledError,
  WebhookLimitReachedError,
  WebhookStatus,
  WebhookUrlTakenError,
} from '@petstore/webhook';
import { created, defineOperations, noContent, ok, type ResourceOptions } from '../operations/operation.js';
import { pathId } from '../operations/path-id.js';
import { arrayOf, componentsOf } from '../operations/members.js';
import { RecoveryDto, WebhookDeliveryDto } from './delivery.dto.js';
import { WEBHOOK_EVENTS } from './webhook-events.js';
import {
  NewWebhookDto,
  SecretRotationDto,
  WebhookDto,
  WebhookPatchDto,
  WebhookWithSecretDto,
} from './webhook.dto.js';
import { defineErrors } from '@petstore/http-server';

export const WEBHOOK_ERRORS = defineErrors({
  webhook_not_found: {
    status: 404,
    message: 'No webhook of this key has this id.',
    when: 'No webhook of the key has the id in the path.',
  },
  delivery_not_found: {
    status: 404,
    message: 'The webhook has no such delivery.',
    when: 'The webhook has no delivery with the id in the path, it is a test, or its event is no longer kept.',
  },
  webhook_limit_reached: {
    status: 409,
    refusal: WebhookLimitReachedError,
    message: `A key may have ${MAX_WEBHOOKS_PER_KEY} webhooks. Remove one of them first.`,
    when: `The key has ${MAX_WEBHOOKS_PER_KEY} webhooks.`,
  },
  webhook_url_taken: {
    status: 409,
    refusal: WebhookUrlTakenError,
    message: 'Another webhook of this key has this URL.',
    when: 'Another webhook of the key has the URL, in its normalised form.',
  },
  webhook_disabled: {
    status: 409,
    refusal: WebhookDisabledError,
    message: 'The webhook is disabled. Enable it first, with status "enabled".',
    when: 'Nothing is delivered to a webhook that is disabled; enable it first.',
  },
});

export const WEBHOOKS: ResourceOptions = {
  tag: {
    name: 'Webhooks',
    description: 'Events delivered to endpoints of the key, signed and attempted again.',
    guide: 'webhooks',
  },
  models: [WebhookDto, WebhookWithSecretDto, WebhookDeliveryDto, RecoveryDto],
  schemas: {
    Webhooks: arrayOf('Webhook', MAX_WEBHOOKS_PER_KEY, 'All webhooks of the key, newest first.'),
    ...componentsOf(described(WebhookStatus, 'Whether events are delivered.')),
    WebhookDeliveries: arrayOf('WebhookDelivery', PageLimit.MAX, 'One page of deliveries, newest first.'),
    ...componentsOf(described(DeliveryStatus, 'State of a delivery.')),
  },
  webhooks: WEBHOOK_EVENTS,
};

export const WEBHOOK_ID = pathId('webhookId', 'Id of the webhook.', 3);
/** Of all operations on webhooks. */
const MANAGED = { since: '1.0.0', scope: 'webhooks:manage' } as const;
/** Of those on one webhook. */
export const MANAGED_ONE = { ...MANAGED, params: [WEBHOOK_ID] } as const;

const SHOP = {
  id: 3,
  url: 'https://shop.example/petstore',
  types: ['pet.*'],
  description: 'The web shop.',
  status: 'enabled',
  createdAt: '2026-11-21T19:12:07.123Z',
};
const SHOP_WITH_SECRET = { ...SHOP, secret: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=' };
const FAILING = {
  ...SHOP,
  status: 'disabled',
  disabledReason: 'failing',
  failingSince: '2026-11-16T18:00:00.000Z',
};

export const WEBHOOK_OPERATIONS = defineOperations({
  listWebhooks: {
    ...MANAGED,
    summary: 'List webhooks',
    description: `Returns all webhooks of the key, newest first; there are never more than ${MAX_WEBHOOKS_PER_KEY}.`,
    isConditional: true,
    success: ok('All webhooks of the key.', 'Webhooks', [FAILING]),
  },
  createWebhook: {
    ...MANAGED,
    summary: 'Add a webhook',
    description:
      'Adds an endpoint that events are delivered to from now on. The response has the secret that they are signed with, which is shown only once. To send the request again is safe: the second one is 409 `webhook_url_taken`; if the secret was lost with the first response, rotate it.',
    body: {
      dto: NewWebhookDto,
      description: 'Where events are delivered to, and which; unknown members are ignored.',
      examples: {
        newWebhook: {
          summary: 'All events of animals.',
          value: { url: SHOP.url, types: SHOP.types, description: SHOP.description },
        },
      },
    },
    success: created(
      'The webhook with its secret. The `ETag` is that of the webhook without the secret.',
      'WebhookWithSecret',
      SHOP_WITH_SECRET,
    ),
    errors: [WEBHOOK_ERRORS.webhook_url_taken, WEBHOOK_ERRORS.webhook_limit_reached],
  },
  getWebhook: {
    ...MANAGED_ONE,
    summary: 'Get a webhook',
    description: 'Returns a single webhook. A webhook of another key is 404.',
    isConditional: true,
    success: ok('The webhook.', 'Webhook', SHOP),
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  },
  updateWebhook: {
    ...MANAGED_ONE,
    summary: 'Change a webhook',
    description:
      'Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error.',
    hasPreconditions: true,
    body: {
      dto: WebhookPatchDto,
      description:
        'The members to change; unknown ones are ignored. `null` takes `types` or `description` away.',
      examples: {
        enable: { summary: 'Deliver again.', value: { status: 'enabled' } },
        allTypes: { summary: 'Deliver all events.', value: { types: null } },
      },
    },
    success: ok('The webhook as it is now.', 'Webhook', SHOP),
    errors: [WEBHOOK_ERRORS.webhook_not_found, WEBHOOK_ERRORS.webhook_url_taken],
  },
  deleteWebhook: {
    ...MANAGED_ONE,
    summary: 'Remove a webhook',
    description:
      'Removes a webhook with its secrets and deliveries; an attempt under way is not called back.',
    hasPreconditions: true,
    success: noContent('The webhook has been removed.'),
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  },
  rotateWebhookSecret: {
    ...MANAGED_ONE,
    summary: 'Replace the secret',
    description:
      'Deliveries are signed with a new secret from now on, and during the overlap with the one before, too. The one before that ends at once: do not send this request again unless the new secret was lost.',
    body: {
      dto: SecretRotationDto,
      description: 'May be left out, and then no `Content-Type` is needed. Unknown members are ignored.',
      examples: {
        overlap: { summary: 'The secret before stays valid for a day.', value: { overlapHours: 24 } },
      },
    },
    success: ok(
      'The webhook with its new secret, which is shown only once.',
      'WebhookWithSecret',
      SHOP_WITH_SECRET,
    ),
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  },
});
