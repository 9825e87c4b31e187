import { CATEGORY_FIELDS, CategoryInUseError, CategoryNameTakenError, PageLimit } from '@petstore/pet-domain';
import {
  created,
  defineOperations,
  noContent,
  ok,
  type RequestBody,
  type ResourceOptions,
} from '../operations/operation.js';
import { pathId } from '../operations/path-id.js';
import { arrayOf, exampleOf } from '../operations/members.js';
import { CategoryDto, NewCategoryDto } from './category.dto.js';
import { defineErrors } from '@petstore/http-server';

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

export const CATEGORIES: ResourceOptions = {
  tag: { name: 'Categories', description: 'Names for the `categoryId` of animals.', guide: 'categories' },
  models: [CategoryDto],
  schemas: {
    Categories: arrayOf('Category', PageLimit.MAX, 'One page of categories, the greatest id first.'),
  },
};

const CATEGORY_ID = pathId('categoryId', 'Id of the category.', 1);

const NEW_CATEGORY: RequestBody = {
  dto: NewCategoryDto,
  description: 'The name; unknown members are ignored.',
  examples: { newCategory: { summary: 'A category.', value: { name: 'Dogs' } } },
};

const DOGS = exampleOf(CATEGORY_FIELDS);

export const CATEGORY_OPERATIONS = defineOperations({
  listCategories: {
    summary: 'List categories',
    description:
      'Returns a paginated list of categories, the greatest id first. While others follow, the response carries a `Link` header with `rel="next"`.',
    since: '1.0.0',
    scope: 'pets:read',
    isPaged: true,
    isConditional: true,
    success: ok('One page of categories.', 'Categories', [DOGS, { id: 3, name: 'Cats' }]),
  },
  createCategory: {
    summary: 'Add a category',
    description:
      'Adds a category under an id that neither a category nor an animal has. To name an id that animals already have, use `PUT`. With an `Idempotency-Key` the request may be sent again without harm.',
    since: '1.0.0',
    scope: 'categories:write',
    isIdempotent: true,
    body: NEW_CATEGORY,
    success: created('The created category, including the assigned id.', 'Category', DOGS),
    errors: [CATEGORY_ERRORS.category_name_taken],
  },
  getCategory: {
    summary: 'Get a category',
    description: 'Returns a single category.',
    since: '1.0.0',
    scope: 'pets:read',
    params: [CATEGORY_ID],
    isConditional: true,
    success: ok('The category.', 'Category', DOGS),
    errors: [CATEGORY_ERRORS.category_not_found],
  },
  putCategory: {
    summary: 'Add a category under an id, or rename it',
    description:
      'Adds a category under this id, whether animals already have it or not, or renames the one that exists. With `If-None-Match: *` it only adds. To send the same name again changes nothing.',
    since: '1.0.0',
    scope: 'categories:write',
    params: [CATEGORY_ID],
    hasPreconditions: true,
    body: NEW_CATEGORY,
    success: ok('The category existed; it has this name now.', 'Category', DOGS),
    alternatives: [created('The category has been added.', 'Category', DOGS)],
    errors: [CATEGORY_ERRORS.category_name_taken, CATEGORY_ERRORS.category_not_found],
  },
  deleteCategory: {
    summary: 'Remove a category',
    description: 'Removes a category that no animal has.',
    since: '1.0.0',
    scope: 'categories:write',
    params: [CATEGORY_ID],
    hasPreconditions: true,
    success: noContent('The category has been removed.'),
    errors: [CATEGORY_ERRORS.category_not_found, CATEGORY_ERRORS.category_in_use],
  },
});
