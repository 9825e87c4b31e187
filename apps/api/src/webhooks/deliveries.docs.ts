import { MAX_REPLAYED } from '@petstore/webhook';
import { EVENT_ERRORS } from '../events/events.docs.js';
import { accepted, defineOperations, ok } from '../operations/operation.js';
import { pathId } from '../operations/path-id.js';
import { NewRecoveryDto } from './delivery.dto.js';
import { MANAGED_ONE, WEBHOOK_ERRORS, WEBHOOK_ID } from './webhooks.docs.js';

const DELIVERY_ID = pathId('deliveryId', 'Id of the delivery.', 7311);

const DELIVERY = { id: 7311, eventId: 1042, type: 'pet.updated' };
const DUE = { status: 'pending', attempts: 0, nextAttemptAt: '2026-11-21T19:12:07.123Z' };

const TEST_DELIVERY = { id: 7312, type: 'webhook.test', ...DUE };
const DUE_DELIVERY = { ...DELIVERY, ...DUE };
const RETRIED_DELIVERY = {
  ...DELIVERY,
  status: 'pending',
  attempts: 2,
  lastAttemptAt: '2026-11-21T19:12:12.400Z',
  nextAttemptAt: '2026-11-21T19:17:12.400Z',
  responseStatus: 503,
  error: 'http_status',
};

export const DELIVERY_OPERATIONS = defineOperations({
  testWebhook: {
    ...MANAGED_ONE,
    summary: 'Send a test',
    description:
      'Delivers an event of the type `webhook.test` to this webhook alone, also while it is disabled: one attempt, which counts towards nothing.',
    success: accepted('The delivery, which is due now.', 'WebhookDelivery', TEST_DELIVERY),
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  },
  listDeliveries: {
    ...MANAGED_ONE,
    summary: 'List deliveries',
    description:
      'Returns a paginated list of deliveries to a webhook, newest first. They are kept as long as events. While older ones follow, the response carries a `Link` header with `rel="next"`.',
    isPaged: true,
    isConditional: true,
    success: ok('One page of deliveries.', 'WebhookDeliveries', [RETRIED_DELIVERY]),
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  },
  redeliver: {
    ...MANAGED_ONE,
    summary: 'Deliver again',
    description:
      'Makes a delivery due now, whatever has become of it, with all attempts before it. A test is not delivered again.',
    params: [WEBHOOK_ID, DELIVERY_ID],
    success: accepted('The delivery, which is due now.', 'WebhookDelivery', DUE_DELIVERY),
    errors: [
      WEBHOOK_ERRORS.webhook_not_found,
      WEBHOOK_ERRORS.delivery_not_found,
      WEBHOOK_ERRORS.webhook_disabled,
    ],
  },
  recoverWebhook: {
    ...MANAGED_ONE,
    summary: 'Deliver what was missed',
    description: `Makes failed deliveries of events behind a position due again, and queues those events that never were, as while the webhook was disabled; the oldest first, at most ${MAX_REPLAYED.toLocaleString('en')}. To send the request again is safe: what is due is not queued twice.`,
    body: {
      dto: NewRecoveryDto,
      description: 'The position; unknown members are ignored.',
      examples: { newRecovery: { summary: 'From the last event received.', value: { after: 1041 } } },
    },
    success: accepted('How many deliveries are due now.', 'Recovery', { requeued: 17 }),
    errors: [WEBHOOK_ERRORS.webhook_not_found, WEBHOOK_ERRORS.webhook_disabled, EVENT_ERRORS.position_gone],
  },
});
