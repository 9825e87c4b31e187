import { HTTP_ERRORS, HTTP_HEADERS } from '@petstore/http-kernel';
import { MAX_RECOVERED } from '@petstore/webhook';
import { EVENT_ERRORS } from '../events/event.errors.js';
import { LIST_ERRORS } from '../lists/list.errors.js';
import type { OperationDeclaration } from '../operations/operation.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import { NewRecoveryDto } from './webhook-requests.dto.js';
import { DELIVERY_ID, SCOPE, SINCE, WEBHOOK_ID, WEBHOOK_PATH } from './webhooks.resource.js';

const DELIVERY = { id: 7311, eventId: 1042, type: 'pet.updated' };
const DUE = { status: 'pending', attempts: 0, nextAttemptAt: '2026-11-21T19:12:07.123Z' };
const RETRIED = {
  ...DELIVERY,
  status: 'pending',
  attempts: 2,
  lastAttemptAt: '2026-11-21T19:12:12.400Z',
  nextAttemptAt: '2026-11-21T19:17:12.400Z',
  responseStatus: 503,
  error: 'http_status',
};

const common = { since: SINCE, scope: SCOPE, pathParameters: [WEBHOOK_ID] } as const;
const { webhook_not_found, delivery_not_found, webhook_disabled } = WEBHOOK_ERRORS;

export const TEST_WEBHOOK: OperationDeclaration = {
  ...common,
  id: 'testWebhook',
  method: 'POST',
  path: `${WEBHOOK_PATH}/test`,
  summary: 'Send a test',
  description:
    'Delivers an event of the type `webhook.test` to this webhook alone, also while it is disabled: one attempt, which counts towards nothing.',
  success: {
    status: 202,
    description: 'The delivery, which is due now.',
    schema: 'WebhookDelivery',
    example: { id: 7312, type: 'webhook.test', ...DUE },
  },
  errors: [HTTP_ERRORS.bad_request, webhook_not_found],
};

export const LIST_DELIVERIES: OperationDeclaration = {
  ...common,
  id: 'listDeliveries',
  method: 'GET',
  path: `${WEBHOOK_PATH}/deliveries`,
  summary: 'List deliveries',
  description:
    'Returns a paginated list of deliveries to a webhook, newest first. They are kept as long as events. While older ones follow, the response carries a `Link` header with `rel="next"`.',
  success: {
    status: 200,
    description: 'One page of deliveries.',
    schema: 'WebhookDeliveries',
    headers: [HTTP_HEADERS.Link],
    example: [RETRIED],
  },
  isConditional: true,
  errors: [
    HTTP_ERRORS.invalid_parameter,
    LIST_ERRORS.invalid_cursor,
    HTTP_ERRORS.bad_request,
    webhook_not_found,
  ],
};

export const REDELIVER: OperationDeclaration = {
  ...common,
  id: 'redeliver',
  method: 'POST',
  path: `${WEBHOOK_PATH}/deliveries/:deliveryId/redeliver`,
  summary: 'Deliver again',
  description:
    'Makes a delivery due now, whatever has become of it, with all attempts before it. A test is not delivered again.',
  pathParameters: [WEBHOOK_ID, DELIVERY_ID],
  success: {
    status: 202,
    description: 'The delivery, which is due now.',
    schema: 'WebhookDelivery',
    example: { ...DELIVERY, ...DUE },
  },
  errors: [HTTP_ERRORS.bad_request, webhook_not_found, delivery_not_found, webhook_disabled],
};

export const RECOVER_WEBHOOK: OperationDeclaration = {
  ...common,
  id: 'recoverWebhook',
  method: 'POST',
  path: `${WEBHOOK_PATH}/recover`,
  summary: 'Deliver what was missed',
  description: `Makes failed deliveries of events behind a position due again, and queues those events that never were, as while the webhook was disabled; the oldest first, at most ${MAX_RECOVERED.toLocaleString('en')}. To send the request again is safe: what is due is not queued twice.`,
  body: {
    dto: NewRecoveryDto,
    description: 'The position; unknown members are ignored.',
    examples: { newRecovery: { summary: 'From the last event received.', value: { after: 1041 } } },
  },
  success: {
    status: 202,
    description: 'How many deliveries are due now.',
    schema: 'Recovery',
    example: { requeued: 17 },
  },
  errors: [
    HTTP_ERRORS.invalid_json,
    HTTP_ERRORS.validation_failed,
    HTTP_ERRORS.bad_request,
    webhook_not_found,
    webhook_disabled,
    EVENT_ERRORS.position_gone,
    HTTP_ERRORS.payload_too_large,
    HTTP_ERRORS.unsupported_media_type,
  ],
};
