import { CreateCategories1795172400000 } from '../migrations/1795172400000-create-categories.js';
import { FIND, PAGE, PAGE_BEFORE } from './category-statements.js';
import { CategoryRow } from './category.row.js';

/** What categories bring to the database. */
export const CATEGORY_RESOURCE = {
  rows: [CategoryRow],
  migrations: [CreateCategories1795172400000],
  reads: [PAGE, PAGE_BEFORE, FIND],
};
