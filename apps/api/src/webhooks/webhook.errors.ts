import { defineErrors } from '@petstore/http-server';
import {
  DeliveryNotFoundError,
  MAX_WEBHOOKS_PER_KEY,
  WebhookDisabledError,
  WebhookLimitReachedError,
  WebhookNotFoundError,
  WebhookUrlTakenError,
} from '@petstore/webhook';

export const WEBHOOK_ERRORS = defineErrors({
  webhook_not_found: {
    status: 404,
    refusal: WebhookNotFoundError,
    message: 'No webhook of this key has this id.',
    when: 'No webhook of the key has the id in the path.',
  },
  delivery_not_found: {
    status: 404,
    refusal: DeliveryNotFoundError,
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
