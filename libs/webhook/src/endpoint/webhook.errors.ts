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
