import { defineErrors, defineHeaders, HTTP_HEADERS } from '@petstore/http-kernel';

/** Header fields that operations on animals answer with. */
export const PET_HEADERS = defineHeaders({
  'Idempotent-Replayed': {
    description:
      'Present when this is the first answer to the same Idempotency-Key again; nothing was added now.',
    schema: { type: 'boolean', enum: [true] },
    example: true,
  },
});

/** What operations on animals answer with beside the errors of all operations (specification, section 7). */
export const PET_ERRORS = defineErrors({
  invalid_cursor: {
    status: 400,
    message: 'The cursor is not one that this list gave out. Start again without a cursor.',
    when: 'The cursor is damaged or belongs to a list with another filter.',
  },
  pet_not_found: {
    status: 404,
    message: 'No pet has this id.',
    when: 'No animal has the id in the path.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being worked on. Try again shortly.',
    when: 'The first request with this Idempotency-Key has not been answered yet.',
    headers: [HTTP_HEADERS['Retry-After']],
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used before with another request body.',
    when: 'The Idempotency-Key was already used with another body.',
  },
});

export type PetErrorCode = keyof typeof PET_ERRORS;
