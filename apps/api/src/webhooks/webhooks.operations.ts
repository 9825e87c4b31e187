import { HTTP_ERRORS, HTTP_HEADERS } from '@petstore/http-kernel';
import { CONTRACT_HEADERS } from '../operations/contract.headers.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/merge-patch.js';
import type { OperationDeclaration } from '../operations/operation.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import { NewWebhookDto, SecretRotationDto, WebhookPatchDto } from './webhook-requests.dto.js';
import { SCOPE, SINCE, WEBHOOK_ID, WEBHOOK_PATH, WEBHOOKS_PATH } from './webhooks.resource.js';

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

const BODY_ERRORS = [
  HTTP_ERRORS.invalid_json,
  HTTP_ERRORS.validation_failed,
  HTTP_ERRORS.bad_request,
  HTTP_ERRORS.payload_too_large,
  HTTP_ERRORS.unsupported_media_type,
];
const common = { since: SINCE, scope: SCOPE } as const;
const ofOne = { ...common, path: WEBHOOK_PATH, pathParameters: [WEBHOOK_ID] } as const;

export const LIST_WEBHOOKS: OperationDeclaration = {
  ...common,
  id: 'listWebhooks',
  method: 'GET',
  path: WEBHOOKS_PATH,
  summary: 'List webhooks',
  description: 'Returns all webhooks of the key, newest first; there are never more than 10.',
  success: {
    status: 200,
    description: 'All webhooks of the key.',
    schema: 'Webhooks',
    example: [FAILING],
  },
  isConditional: true,
  errors: [HTTP_ERRORS.bad_request],
};

export const CREATE_WEBHOOK: OperationDeclaration = {
  ...common,
  id: 'createWebhook',
  method: 'POST',
  path: WEBHOOKS_PATH,
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
  success: {
    status: 201,
    description: 'The webhook with its secret. The `ETag` is that of the webhook without the secret.',
    schema: 'WebhookWithSecret',
    headers: [CONTRACT_HEADERS.Location, HTTP_HEADERS.ETag],
    example: SHOP_WITH_SECRET,
  },
  errors: [...BODY_ERRORS, WEBHOOK_ERRORS.webhook_url_taken, WEBHOOK_ERRORS.webhook_limit_reached],
};

export const GET_WEBHOOK: OperationDeclaration = {
  ...ofOne,
  id: 'getWebhook',
  method: 'GET',
  summary: 'Get a webhook',
  description: 'Returns a single webhook. A webhook of another key is 404.',
  success: { status: 200, description: 'The webhook.', schema: 'Webhook', example: SHOP },
  isConditional: true,
  errors: [WEBHOOK_ERRORS.webhook_not_found, HTTP_ERRORS.bad_request],
};

export const UPDATE_WEBHOOK: OperationDeclaration = {
  ...ofOne,
  id: 'updateWebhook',
  method: 'PATCH',
  summary: 'Change a webhook',
  description:
    'Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error.',
  isGuarded: true,
  body: {
    dto: WebhookPatchDto,
    mediaTypes: MERGE_PATCH_MEDIA_TYPES,
    description:
      'The members to change; unknown ones are ignored. `null` takes `types` or `description` away.',
    examples: {
      enable: { summary: 'Deliver again.', value: { status: 'enabled' } },
      allTypes: { summary: 'Deliver all events.', value: { types: null } },
    },
  },
  success: { status: 200, description: 'The webhook as it is now.', schema: 'Webhook', example: SHOP },
  errors: [...BODY_ERRORS, WEBHOOK_ERRORS.webhook_not_found, WEBHOOK_ERRORS.webhook_url_taken],
};

export const DELETE_WEBHOOK: OperationDeclaration = {
  ...ofOne,
  id: 'deleteWebhook',
  method: 'DELETE',
  summary: 'Remove a webhook',
  description: 'Removes a webhook with its secrets and deliveries; an attempt under way is not called back.',
  isGuarded: true,
  success: { status: 204, description: 'The webhook has been removed.' },
  errors: [HTTP_ERRORS.bad_request, WEBHOOK_ERRORS.webhook_not_found],
};

export const ROTATE_WEBHOOK_SECRET: OperationDeclaration = {
  ...ofOne,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${WEBHOOK_PATH}/rotate-secret`,
  summary: 'Replace the secret',
  description:
    'Deliveries are signed with a new secret from now on, and during the overlap with the one before, too. The one before that ends at once: do not send this request again unless the new secret was lost.',
  body: {
    dto: SecretRotationDto,
    isOptional: true,
    description: 'May be left out, and then no `Content-Type` is needed. Unknown members are ignored.',
    examples: { atOnce: { summary: 'The secret has leaked.', value: { overlapHours: 0 } } },
  },
  success: {
    status: 200,
    description: 'The webhook with its new secret, which is shown only once.',
    schema: 'WebhookWithSecret',
    example: SHOP_WITH_SECRET,
  },
  errors: [...BODY_ERRORS, WEBHOOK_ERRORS.webhook_not_found],
};
