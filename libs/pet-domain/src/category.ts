import type { CategoryId } from './category-id.js';
import type { CategoryName } from './category-name.js';
import type { Fields } from './fields.js';
import { jsonTextOf } from './fields-json.js';

/** A name for a category id. Animals may have the id of a category that does not exist. */
export interface Category {
  readonly id: CategoryId;
  readonly name: CategoryName;
}

/** All fields of a category, in the order of its JSON. */
export const CATEGORY_FIELDS: Fields<Category> = { id: 'int64', name: 'text' };

/** A category as JSON text. */
export const categoryJson: (category: Category) => string = jsonTextOf<Category>(CATEGORY_FIELDS);
