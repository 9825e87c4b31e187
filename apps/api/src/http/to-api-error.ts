import { ApiKeyRefusedError } from '@petstore/api-key';
import { ApiError, isStoreUnavailable } from '@petstore/http-server';
import { RateLimitExceededError } from '@petstore/rate-limit';
import { API_KEY_ERRORS, RATE_LIMIT_ERRORS } from '../access/access.errors.js';

/** Seconds after which a client may try again when a server behind this one is unavailable. */
const UNAVAILABLE_RETRY_AFTER = '1';

/** Made once, because floods are refused with them: those of a limit, and those of keys by their challenge. */
const LIMIT_REFUSALS = {
  rate_limit_exceeded: new ApiError(RATE_LIMIT_ERRORS.rate_limit_exceeded),
  api_key_temporarily_banned: new ApiError(RATE_LIMIT_ERRORS.api_key_temporarily_banned),
};
const keyRefusals = new Map<string, ApiError>();

/** What the layers below say, in the contract's terms; `undefined` for what they do not say. */
export function toApiError(exception: unknown): ApiError | undefined {
  if (exception instanceof ApiKeyRefusedError) return keyRefusal(exception);
  if (exception instanceof RateLimitExceededError) return LIMIT_REFUSALS[exception.code];
  if (isStoreUnavailable(exception)) {
    return new ApiError('service_unavailable', {
      headers: { 'Retry-After': UNAVAILABLE_RETRY_AFTER },
      cause: exception,
    });
  }
  return undefined;
}

function keyRefusal({ code, challenge }: ApiKeyRefusedError): ApiError {
  let refusal = keyRefusals.get(challenge);
  if (refusal === undefined) {
    refusal = new ApiError(API_KEY_ERRORS[code], { headers: { 'WWW-Authenticate': challenge } });
    keyRefusals.set(challenge, refusal);
  }
  return refusal;
}
