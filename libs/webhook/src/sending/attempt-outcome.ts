import type { DeliveryError } from './delivery-error.js';

/** What has come of sending one request. */
export type AttemptOutcome =
  | { readonly isDelivered: true; readonly responseStatus: number }
  | {
      readonly isDelivered: false;
      readonly error: DeliveryError;
      /** With `http_status` only. */
      readonly responseStatus?: number | undefined;
      /** How long the endpoint asks to be left alone, in milliseconds. */
      readonly retryAfterMs?: number | undefined;
    };
