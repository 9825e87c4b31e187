import type { Statement } from '../pipeline/statement.js';

/** Category 0 is all animals. */
export const COUNT: Statement = {
  name: 'inventory_count',
  text: 'select status, animals from inventory where category_id = $1',
};
