/** The key has no endpoint of this id. */
export class WebhookNotFoundError extends Error {
  override readonly name = 'WebhookNotFoundError';
}

/** The endpoint has no delivery of this id, it is a test, or its event is no longer kept. */
export class DeliveryNotFoundError extends Error {
  override readonly name = 'DeliveryNotFoundError';
}

/** The key has as many endpoints as it may (`MAX_WEBHOOKS_PER_KEY`). */
export class WebhookLimitReachedError extends Error {
  override readonly name = 'WebhookLimitReachedError';
}

/** Another endpoint of the key has the URL. */
export class WebhookUrlTakenError extends Error {
  override readonly name = 'WebhookUrlTakenError';
}

/** Nothing is delivered again to an endpoint that is disabled. */
export class WebhookDisabledError extends Error {
  override readonly name = 'WebhookDisabledError';
}
