import { Category, CATEGORY_FIELDS } from '@petstore/pet-domain';
import { EntitySchema } from 'typeorm';
import { columnsOf } from '../sql/columns.js';
import { jsonOf } from '../sql/json.js';

/** The table `categories`. */
export const CategorySchema = new EntitySchema<Category>({
  name: 'Category',
  target: Category,
  tableName: 'categories',
  columns: {
    id: { type: 'bigint', primary: true },
    name: { type: 'text' },
    // Made from the name, and therefore never read.
    nameKey: { name: 'name_key', type: 'text', select: false },
  },
});

/** SQL of a category as JSON. */
export const CATEGORY_JSON = jsonOf(columnsOf(CategorySchema, CATEGORY_FIELDS));
