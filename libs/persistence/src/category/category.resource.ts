import { FIND, PAGE, PAGE_BEFORE } from './category-statements.js';
import { CategoryRow } from './category.row.js';

/** What categories bring to the database. */
export const CATEGORY_RESOURCE = {
  rows: [CategoryRow],
  reads: [PAGE, PAGE_BEFORE, FIND],
};
