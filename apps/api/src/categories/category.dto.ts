import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  type CategoryId,
  CategoryName,
  described,
  type PreviousCategory,
  type Value,
} from '@petstore/pet-domain';
import { List } from '../lists/list.js';
import { cursorOf, LIMIT } from '../lists/query-parameters.js';
import { bodyMember, INT64_SCHEMA, responseSchema } from '../operations/members.js';

export const CATEGORY_LIST = new List({
  path: '/categories',
  what: 'categories',
  parameters: { limit: LIMIT, cursor: cursorOf<CategoryId>() },
});

/** The members of a category beside its id, which events have as old values, too. */
export const CATEGORY_MEMBERS = {
  name: described(
    CategoryName,
    `1 to ${CategoryName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters. No two categories have the same name, apart from case, white space and invisible characters.`,
    'Dogs',
  ),
} satisfies Record<keyof PreviousCategory, Value<unknown>>;

const CategoryNameMember = bodyMember(CATEGORY_MEMBERS.name);

@ApiSchema({ name: 'NewCategory', description: 'A category to be added, or the new name of one.' })
export class NewCategoryDto {
  @CategoryNameMember()
  name!: CategoryName;
}

/** A category as it is returned. Documents `categoryJson`. */
@ApiSchema({ name: 'Category', description: 'A name for a `categoryId` of animals.' })
export class CategoryDto {
  @ApiProperty({ ...INT64_SCHEMA, description: 'The `categoryId` of its animals.', example: 7 })
  id!: string;

  @ApiProperty(responseSchema(CATEGORY_MEMBERS.name))
  name!: string;
}

export class ListCategoriesQuery extends CATEGORY_LIST.Query {}
