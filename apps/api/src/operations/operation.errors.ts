import { defineErrors, type ErrorDefinition, HTTP_ERRORS, HTTP_HEADERS } from '@petstore/http-server';
import { API_KEY_ERRORS, RATE_LIMIT_ERRORS } from '../access/access.errors.js';
import type { OperationOptions } from './operation.js';

/** Errors of what operations of several resources have in common: lists, repetition, deprecation. */
export const OPERATION_ERRORS = defineErrors({
  invalid_cursor: {
    status: 400,
    message: 'The cursor is not one that this list gave out. Start again without a cursor.',
    when: 'The cursor is damaged or belongs to a list with another filter.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed. Try again shortly.',
    when: 'The first request with this Idempotency-Key is still being processed.',
    headers: [HTTP_HEADERS['Retry-After']],
  },
  operation_removed: {
    status: 410,
    // The deprecated operation says what to use instead.
    message: 'This operation has been removed.',
    when: 'The deprecated operation is past its removal date.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used before for another operation or body.',
    when: 'The Idempotency-Key was already used for another operation or body.',
  },
});

/** What any operation can respond with, whatever it does. */
const ERRORS_OF_EVERY_OPERATION: readonly ErrorDefinition[] = [
  API_KEY_ERRORS.missing_api_key,
  API_KEY_ERRORS.invalid_api_key,
  API_KEY_ERRORS.insufficient_scope,
  API_KEY_ERRORS.origin_not_allowed,
  HTTP_ERRORS.uri_too_long,
  RATE_LIMIT_ERRORS.rate_limit_exceeded,
  RATE_LIMIT_ERRORS.api_key_temporarily_banned,
  HTTP_ERRORS.headers_too_large,
  HTTP_ERRORS.internal_error,
  HTTP_ERRORS.service_unavailable,
];

/** What an operation with a body can respond with because of its form. */
const ERRORS_OF_BODIES: readonly ErrorDefinition[] = [
  HTTP_ERRORS.invalid_json,
  HTTP_ERRORS.validation_failed,
  HTTP_ERRORS.payload_too_large,
  HTTP_ERRORS.unsupported_media_type,
];

/** Every error that an operation can respond with: what it names, and what follows from the forms that it takes. */
export function errorsOf(operation: OperationOptions): readonly ErrorDefinition[] {
  const { body, deprecation, errors = [] } = operation;
  const { isConditional = false, hasPreconditions = false, isIdempotent = false } = operation;
  const { isPaged = false, isNeverBadRequest = false } = operation;
  const takesPreconditions = isConditional || hasPreconditions;
  const takesParameters = isPaged || takesPreconditions || isIdempotent;
  return [
    ...new Set([
      ...ERRORS_OF_EVERY_OPERATION,
      ...(body === undefined ? [] : ERRORS_OF_BODIES),
      ...(takesParameters ? [HTTP_ERRORS.invalid_parameter] : []),
      ...(isPaged ? [OPERATION_ERRORS.invalid_cursor] : []),
      ...errors,
      ...(isIdempotent
        ? [OPERATION_ERRORS.idempotency_in_progress, OPERATION_ERRORS.idempotency_key_reused]
        : []),
      ...(takesPreconditions ? [HTTP_ERRORS.precondition_failed] : []),
      ...(deprecation === undefined ? [] : [OPERATION_ERRORS.operation_removed]),
      ...(isNeverBadRequest ? [] : [HTTP_ERRORS.bad_request]),
    ]),
  ];
}
