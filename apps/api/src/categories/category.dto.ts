import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { type CategoryId, CategoryName, PageLimit, type PreviousCategory } from '@petstore/pet-domain';
import { CursorFormat, type CursorPosition } from '../lists/cursor.js';
import { CursorParameter, LimitParameter } from '../lists/list-parameters.js';
import { INT64_SCHEMA, textMember, textSchema } from '../operations/members.js';

/** Positions in the list of categories. */
export const CATEGORY_CURSOR = new CursorFormat<CategoryId>('c_', new Map<string | undefined, string>());

/** What the document says of the members of a category beside its id, also as old values in events. */
export const CATEGORY_MEMBERS = {
  name: {
    ...textSchema(CategoryName),
    description: `1 to ${CategoryName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters. No two categories have the same name, apart from case, white space and invisible characters.`,
    example: 'Dogs',
  },
} as const satisfies Record<keyof PreviousCategory, ApiPropertyOptions>;

const CategoryNameMember = textMember(CategoryName, CATEGORY_MEMBERS.name);

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

  @ApiProperty(CATEGORY_MEMBERS.name)
  name!: string;
}

export class ListCategoriesQuery {
  @LimitParameter('categories')
  limit: number = PageLimit.DEFAULT;

  @CursorParameter(CATEGORY_CURSOR)
  cursor?: CursorPosition<CategoryId>;
}
