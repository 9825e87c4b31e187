import { PageLimit } from '@petstore/pet-domain';
import type { Parameter, RequestBody, ResourceOptions } from '../operations/operation.js';
import { arrayOf, INT64_SCHEMA } from '../operations/schemas.js';
import { CategoryDto, NewCategoryDto } from './category.dto.js';

export const CATEGORIES: ResourceOptions = {
  tag: { name: 'Categories', description: 'Names for the `categoryId` of animals.' },
  models: [CategoryDto],
  schemas: {
    Categories: arrayOf('Category', PageLimit.MAX, 'One page of categories, the greatest id first.'),
  },
};

export const CATEGORY_ID: Parameter = {
  name: 'categoryId',
  description: 'Id of the category.',
  schema: INT64_SCHEMA,
  example: 1,
};

export const NEW_CATEGORY: RequestBody = {
  dto: NewCategoryDto,
  description: 'The name; unknown members are ignored.',
  examples: { newCategory: { summary: 'A category.', value: { name: 'Dogs' } } },
};

export const DOGS = { id: 7, name: 'Dogs' };
