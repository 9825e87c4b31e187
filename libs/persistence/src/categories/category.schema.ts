import { Category } from '@petstore/pet-domain';
import { EntitySchema } from 'typeorm';

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
