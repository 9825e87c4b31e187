import { defineErrors } from '@petstore/http-server';
import { InvalidStatusTransitionError, PetHeldByOrderError } from '@petstore/pet-domain';

/** Errors of operations on animals beside those of all operations (docs/contract.md, "Errors"). */
export const PET_ERRORS = defineErrors({
  pet_not_found: {
    status: 404,
    message: 'No animal has this id.',
    when: 'No animal has the id in the path.',
  },
  invalid_status_transition: {
    status: 409,
    refusal: InvalidStatusTransitionError,
    message: 'The status of the animal cannot be changed so.',
    when: 'The status of the animal cannot change to the one that is asked for.',
  },
  pet_held_by_order: {
    status: 409,
    refusal: PetHeldByOrderError,
    message: 'An order holds this animal: its status changes with the order.',
    when: 'An order holds the animal: its status changes with the order, and it cannot be removed while reserved.',
  },
});
