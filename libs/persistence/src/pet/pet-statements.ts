import type { PetPageRequest } from '@petstore/pet-domain';
import { namesOf } from '../columns/columns-of.js';
import type { Statement } from '../pipeline/statement.js';
import { PET_COLUMNS } from './pet-columns.js';
import { LOAD } from './pet-write-statements.js';

const COLUMNS = namesOf(PET_COLUMNS);

/**
 * A page is read backwards from one place in one index: the primary key, or (status, id) when there is a
 * filter. That is said as a range over the whole index rather than as `status = x`: with an equality the
 * planner may walk the primary key and throw away rows of other statuses, of which there can be millions.
 */
const PAGE: Statement = {
  name: 'pets_page',
  text: `select ${COLUMNS} from pets order by id desc limit $1`,
};
const PAGE_BEFORE: Statement = {
  name: 'pets_page_before',
  text: `select ${COLUMNS} from pets where id < $1 order by id desc limit $2`,
};
const PAGE_OF_STATUS: Statement = {
  name: 'pets_page_of_status',
  text: `select ${COLUMNS} from pets where status >= $1 and status <= $1 order by status desc, id desc limit $2`,
};
const PAGE_OF_STATUS_BEFORE: Statement = {
  name: 'pets_page_of_status_before',
  text: `select ${COLUMNS} from pets where status >= $1 and (status, id) < ($1, $2) order by status desc, id desc limit $3`,
};

export const FIND: Statement = {
  name: 'pets_find',
  text: `select ${COLUMNS} from pets where id = $1`,
};

/** What reading connections of the pipelines prepare. */
export const PET_READS: readonly Statement[] = [
  ...[PAGE, PAGE_BEFORE, PAGE_OF_STATUS, PAGE_OF_STATUS_BEFORE],
  FIND,
  LOAD,
];

/** The statement and values that read at most `count` rows of a list, newest first. */
export function pageQuery(
  { status, before }: Omit<PetPageRequest, 'limit'>,
  count: number,
): readonly [Statement, readonly string[]] {
  const limit = String(count);
  if (status === undefined) return before === undefined ? [PAGE, [limit]] : [PAGE_BEFORE, [before, limit]];
  return before === undefined
    ? [PAGE_OF_STATUS, [status, limit]]
    : [PAGE_OF_STATUS_BEFORE, [status, before, limit]];
}
