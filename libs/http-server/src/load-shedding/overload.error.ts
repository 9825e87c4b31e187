import { ApiError } from '@petstore/http-kernel';

/** Seconds after which a refused client may come back. */
export const RETRY_AFTER_SECONDS = 1;

/** The refusal of a request for which there is no place, or whose address or key has its share in use. */
export function overloadError(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service has more requests than it can serve at the moment. Try again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
