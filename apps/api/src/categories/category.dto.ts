import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  type CategoryId,
  CategoryName,
  described,
  PageLimit,
  type PreviousCategory,
  type Value,
} from '@petstore/pet-domain';
import { CursorFormat, type CursorPosition } from '../lists/cursor.js';
import { CursorParameter, LimitParameter } from '../lists/list-parameters.js';
import { bodyMember, INT64_SCHEMA, responseSchema } from '../operations/members.js';

/** Positions in the list of categories. */
export const CATEGORY_CURSOR = new CursorFormat<CategoryId>('c_', new Map<string | undefined, string>());

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

export class ListCategoriesQuery {
  @LimitParameter('categories')
  limit: number = PageLimit.DEFAULT;

  @CursorParameter(CATEGORY_CURSOR)
  cursor?: CursorPosition<CategoryId>;
}
