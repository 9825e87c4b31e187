import { ApiSchema } from '@nestjs/swagger';
import { CATEGORY_FIELDS, type CategoryId, type CategoryName } from '@petstore/pet-domain';
import { List } from '../lists/list.js';
import { cursorOf, LIMIT } from '../lists/query-parameters.js';
import { BodyMember, ResponseOf } from '../operations/members.js';

export const CATEGORY_LIST = new List({
  path: '/categories',
  what: 'categories',
  parameters: { limit: LIMIT, cursor: cursorOf<CategoryId>() },
});

export class ListCategoriesQuery extends CATEGORY_LIST.Query {}

@ApiSchema({ name: 'NewCategory', description: 'A category to be added, or the new name of one.' })
export class NewCategoryDto {
  @BodyMember(CATEGORY_FIELDS.name)
  name!: CategoryName;
}

/** A category as it is returned. */
@ApiSchema({ name: 'Category', description: 'A name for a `categoryId` of animals.' })
@ResponseOf(CATEGORY_FIELDS)
export class CategoryDto {}
