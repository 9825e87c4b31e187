import { PetStatus } from '@petstore/pet-domain';
import { namesOf } from '../columns/columns-of.js';
import type { Statement } from '../pipeline/statement.js';
import { PET_COLUMNS } from './pet-columns.js';

/*
 * Pages of one category are read backwards through the index on (category_id, status, id). As in `pet-statements.ts`
 * that is said as a range of the index in the order of the index: with `category_id = x` the planner may walk the
 * primary key and throw away rows of other categories. The range is of rows, (category_id, status), because
 * PostgreSQL begins at the bound of the first column alone when each column has a range of its own.
 */
const COLUMNS = namesOf(PET_COLUMNS);
const NEWEST_FIRST = 'order by category_id desc, status desc, id desc';

/** @param status a parameter or a literal, for the category `$1` */
function rangeOf(status: string): string {
  return `(category_id, status) >= ($1, ${status}) and (category_id, status) <= ($1, ${status})`;
}

/** The same, with ids below `$2` only. */
function rangeBefore(status: string): string {
  return `(category_id, status) >= ($1, ${status}) and (category_id, status, id) < ($1, ${status}, $2)`;
}

/**
 * A list of all statuses is merged from one list of each. The outer conditions of a part throw nothing away: they
 * tell the planner that only the id differs, so that the rows come in the order of the merge without a sort, and no
 * more of them are read than the page needs.
 */
function merged(range: (status: string) => string, limit: string): string {
  const parts = PetStatus.ALL.map((status) => {
    const part = `select ${COLUMNS} from pets where ${range(`'${status}'`)} ${NEWEST_FIRST} limit ${limit}`;
    return `(select * from (${part}) part where category_id = $1 and status = '${status}' order by id desc)`;
  });
  return `${parts.join(' union all ')} order by id desc limit ${limit}`;
}

/** Takes the category and the limit. */
export const PAGE_OF_CATEGORY: Statement = {
  name: 'pets_page_of_category',
  text: merged(rangeOf, '$2'),
};
/** Takes the category, the position and the limit. */
export const PAGE_OF_CATEGORY_BEFORE: Statement = {
  name: 'pets_page_of_category_before',
  text: merged(rangeBefore, '$3'),
};
/** Takes the category, the status and the limit. */
export const PAGE_OF_CATEGORY_AND_STATUS: Statement = {
  name: 'pets_page_of_category_and_status',
  text: `select ${COLUMNS} from pets where ${rangeOf('$2')} ${NEWEST_FIRST} limit $3`,
};
/** Takes the category, the position, the status and the limit. */
export const PAGE_OF_CATEGORY_AND_STATUS_BEFORE: Statement = {
  name: 'pets_page_of_category_and_status_before',
  text: `select ${COLUMNS} from pets where ${rangeBefore('$3')} ${NEWEST_FIRST} limit $4`,
};
