import { defineErrors, type ErrorDefinition, HTTP_ERRORS, HTTP_HEADERS } from '@petstore/http-kernel';
import { API_KEY_ERRORS } from '../access/api-key.errors.js';
import { RATE_LIMIT_ERRORS } from '../access/rate-limit.errors.js';

/** What operations are answered with for their own state, or that of what they are about. */
export const OPERATION_ERRORS = defineErrors({
  operation_removed: {
    status: 410,
    // The deprecated operation says what to use instead.
    message: 'This operation has been removed.',
    when: 'The deprecated operation is past its removal date.',
  },
  precondition_failed: {
    status: 412,
    message: 'It has changed since. Read it again.',
    when: 'If-Match does not name the current state, or If-None-Match does; nothing was changed.',
    headers: [HTTP_HEADERS.ETag],
  },
});

export type OperationErrorCode = keyof typeof OPERATION_ERRORS;

/** What any operation can answer, whatever it does. */
export const ERRORS_OF_EVERY_OPERATION: readonly ErrorDefinition[] = [
  API_KEY_ERRORS.missing_api_key,
  API_KEY_ERRORS.invalid_api_key,
  API_KEY_ERRORS.insufficient_scope,
  HTTP_ERRORS.uri_too_long,
  RATE_LIMIT_ERRORS.rate_limit_exceeded,
  RATE_LIMIT_ERRORS.api_key_temporarily_banned,
  HTTP_ERRORS.headers_too_large,
  HTTP_ERRORS.internal_error,
  HTTP_ERRORS.service_unavailable,
];
