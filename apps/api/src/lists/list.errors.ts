import { defineErrors } from '@petstore/http-kernel';

/** Errors of all lists. */
export const LIST_ERRORS = defineErrors({
  invalid_cursor: {
    status: 400,
    message: 'The cursor is not one that this list gave out. Start again without a cursor.',
    when: 'The cursor is damaged or belongs to a list with another filter.',
  },
});

export type ListErrorCode = keyof typeof LIST_ERRORS;
