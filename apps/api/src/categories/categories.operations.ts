import { HTTP_ERRORS, HTTP_HEADERS, type SchemaObject } from '@petstore/http-kernel';
import { PageLimit } from '@petstore/pet-domain';
import { IDEMPOTENCY_ERRORS, IDEMPOTENCY_HEADERS } from '../idempotency/idempotency.errors.js';
import { IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { LIST_ERRORS } from '../lists/list.errors.js';
import { CONTRACT_HEADERS } from '../operations/contract.headers.js';
import type { Resource } from '../operations/contract-controller.decorator.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { PRECONDITION_SCHEMA } from '../operations/precondition.schema.js';
import type { OperationDeclaration, Parameter, RequestBody } from '../operations/operation.js';
import { CategoryDto, NewCategoryDto } from './category.dto.js';
import { CATEGORY_ERRORS } from './category.errors.js';

/** Where categories are, below the base of the API. */
export const CATEGORIES_PATH = '/categories';

const ITEM_PATH = `${CATEGORIES_PATH}/:categoryId`;
const SINCE = '1.1.0';

/** A named array: decorators can only make nameless ones. */
const CATEGORIES: SchemaObject = {
  type: 'array',
  maxItems: PageLimit.MAX,
  items: { $ref: '#/components/schemas/Category' },
  description: 'One page of categories, the greatest id first.',
};

export const CATEGORIES_RESOURCE: Resource = {
  tag: { name: 'Categories', description: 'Names for the `categoryId` of animals.' },
  models: [CategoryDto],
  schemas: { Categories: CATEGORIES },
};

const CATEGORY_ID: Parameter = {
  name: 'categoryId',
  description: 'Id of the category.',
  schema: INT64_SCHEMA,
  example: 1,
};
const DOGS = { id: 7, name: 'Dogs' };
const BODY: RequestBody = {
  dto: NewCategoryDto,
  description: 'The name; unknown members are ignored.',
  examples: { newCategory: { summary: 'A category.', value: { name: 'Dogs' } } },
};
const BODY_ERRORS = [
  HTTP_ERRORS.invalid_json,
  HTTP_ERRORS.validation_failed,
  HTTP_ERRORS.invalid_parameter,
  HTTP_ERRORS.bad_request,
  CATEGORY_ERRORS.category_name_taken,
  HTTP_ERRORS.payload_too_large,
  HTTP_ERRORS.unsupported_media_type,
];

export const LIST_CATEGORIES: OperationDeclaration = {
  id: 'listCategories',
  method: 'GET',
  path: CATEGORIES_PATH,
  summary: 'List categories',
  description:
    'Returns a paginated list of categories, the greatest id first. While others follow, the response carries a `Link` header with `rel="next"`.',
  since: SINCE,
  scope: 'pets:read',
  success: {
    status: 200,
    description: 'One page of categories.',
    schema: 'Categories',
    headers: [HTTP_HEADERS.Link],
    example: [DOGS, { id: 3, name: 'Cats' }],
  },
  isConditional: true,
  errors: [HTTP_ERRORS.invalid_parameter, LIST_ERRORS.invalid_cursor, HTTP_ERRORS.bad_request],
};

export const CREATE_CATEGORY: OperationDeclaration = {
  id: 'createCategory',
  method: 'POST',
  path: CATEGORIES_PATH,
  summary: 'Add a category',
  description:
    'Adds a category under an id that neither a category nor an animal has. To name an id that animals already have, use `PUT`. With an `Idempotency-Key` the request may be sent again without harm.',
  since: SINCE,
  scope: 'categories:write',
  requestHeaders: [IDEMPOTENCY_KEY],
  body: BODY,
  success: {
    status: 201,
    description: 'The created category, including the assigned id.',
    schema: 'Category',
    headers: [CONTRACT_HEADERS.Location, HTTP_HEADERS.ETag, IDEMPOTENCY_HEADERS['Idempotent-Replayed']],
    example: DOGS,
  },
  errors: [
    ...BODY_ERRORS,
    IDEMPOTENCY_ERRORS.idempotency_in_progress,
    IDEMPOTENCY_ERRORS.idempotency_key_reused,
  ],
};

export const GET_CATEGORY: OperationDeclaration = {
  id: 'getCategory',
  method: 'GET',
  path: ITEM_PATH,
  summary: 'Get a category',
  description: 'Returns a single category.',
  since: SINCE,
  scope: 'pets:read',
  pathParameters: [CATEGORY_ID],
  success: { status: 200, description: 'The category.', schema: 'Category', example: DOGS },
  isConditional: true,
  errors: [CATEGORY_ERRORS.category_not_found, HTTP_ERRORS.bad_request],
};

export const PUT_CATEGORY: OperationDeclaration = {
  id: 'putCategory',
  method: 'PUT',
  path: ITEM_PATH,
  summary: 'Add a category under an id, or rename it',
  description:
    'Adds a category under this id, whether animals already have it or not, or renames the one that exists. With `If-None-Match: *` it only adds. To send the same name again changes nothing.',
  since: SINCE,
  scope: 'categories:write',
  isGuarded: true,
  requestHeaders: [
    {
      name: 'If-None-Match',
      description: '`*` to add only: an existing category is left as it is, and the response is 412.',
      schema: PRECONDITION_SCHEMA,
    },
  ],
  pathParameters: [CATEGORY_ID],
  body: BODY,
  success: {
    status: 200,
    description: 'The category existed; it has this name now.',
    schema: 'Category',
    example: DOGS,
  },
  alternatives: [
    {
      status: 201,
      description: 'The category has been added.',
      schema: 'Category',
      headers: [CONTRACT_HEADERS.Location],
      example: DOGS,
    },
  ],
  errors: [...BODY_ERRORS, CATEGORY_ERRORS.category_not_found],
};

export const DELETE_CATEGORY: OperationDeclaration = {
  id: 'deleteCategory',
  method: 'DELETE',
  path: ITEM_PATH,
  summary: 'Remove a category',
  description: 'Removes a category that no animal has.',
  since: SINCE,
  scope: 'categories:write',
  isGuarded: true,
  pathParameters: [CATEGORY_ID],
  success: { status: 204, description: 'The category has been removed.' },
  errors: [HTTP_ERRORS.bad_request, CATEGORY_ERRORS.category_not_found, CATEGORY_ERRORS.category_in_use],
};
