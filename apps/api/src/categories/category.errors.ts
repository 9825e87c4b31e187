import { defineErrors } from '@petstore/http-server';
import { CategoryInUseError, CategoryNameTakenError } from '@petstore/pet-domain';

export const CATEGORY_ERRORS = defineErrors({
  category_not_found: {
    status: 404,
    message: 'No category has this id.',
    when: 'No category has the id in the path.',
  },
  category_name_taken: {
    status: 409,
    refusal: CategoryNameTakenError,
    message: 'Another category has this name.',
    when: 'Another category has the name, apart from case, white space and invisible characters.',
  },
  category_in_use: {
    status: 409,
    refusal: CategoryInUseError,
    message: 'Animals have this category.',
    when: 'The category cannot be removed while animals have it.',
  },
});
