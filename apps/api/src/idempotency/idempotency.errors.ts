import { defineErrors, defineHeaders, HTTP_HEADERS } from '@petstore/http-kernel';

/** Header fields that operations with an `Idempotency-Key` answer with. */
export const IDEMPOTENCY_HEADERS = defineHeaders({
  'Idempotent-Replayed': {
    description:
      'Present when this is the first response to the same Idempotency-Key again; nothing was added now.',
    schema: { type: 'boolean', enum: [true] },
    example: true,
  },
});

/** What operations with an `Idempotency-Key` answer with beside their own errors (specification, section 7). */
export const IDEMPOTENCY_ERRORS = defineErrors({
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed. Try again shortly.',
    when: 'The first request with this Idempotency-Key is still being processed.',
    headers: [HTTP_HEADERS['Retry-After']],
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used before for another operation or body.',
    when: 'The Idempotency-Key was already used for another operation or body.',
  },
});

export type IdempotencyErrorCode = keyof typeof IDEMPOTENCY_ERRORS;
