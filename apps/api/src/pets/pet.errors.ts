import { defineErrors } from '@petstore/http-kernel';

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
  invalid_status_transition: {
    status: 409,
    message: 'The status of the animal cannot be changed so.',
    when: 'The status of the animal cannot change to the one that is asked for.',
  },
});

export type PetErrorCode = keyof typeof PET_ERRORS;
