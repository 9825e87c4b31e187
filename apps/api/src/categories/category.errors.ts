import { defineErrors } from '@petstore/http-server';

export const CATEGORY_ERRORS = defineErrors({
  category_not_found: {
    status: 404,
    message: 'No category has this id.',
    when: 'No category has the id in the path.',
  },
  category_name_taken: {
    status: 409,
    message: 'Another category has this name.',
    when: 'Another category has the name, apart from case, white space and invisible characters.',
  },
  category_in_use: {
    status: 409,
    message: 'Animals have this category.',
    when: 'The category cannot be removed while animals have it.',
  },
});
