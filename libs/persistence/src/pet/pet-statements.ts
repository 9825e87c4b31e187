import type { PetPageRequest, PetsByIdsRequest } from '@petstore/pet-domain';
import { plainArrayLiteral } from '../columns/array-literals.js';
import { namesOf } from '../columns/columns-of.js';
import type { Statement } from '../pipeline/statement.js';
import {
  PAGE_OF_CATEGORY,
  PAGE_OF_CATEGORY_AND_STATUS,
  PAGE_OF_CATEGORY_AND_STATUS_BEFORE,
  PAGE_OF_CATEGORY_BEFORE,
} from './category-pages.js';
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

/**
 * Some animals by their ids, read from the primary key alone. The filters are said so that no other index serves
 * them: at most 100 rows are looked at, whatever the filters are. An empty status and the category 0 are no filter.
 */
const BY_IDS: Statement = {
  name: 'pets_by_ids',
  text: `select ${COLUMNS} from pets where id = any($1::bigint[])
    and ($2::text = '' or status = $2) and ($3::bigint = 0 or category_id = $3) order by id desc`,
};

export const FIND: Statement = {
  name: 'pets_find',
  text: `select ${COLUMNS} from pets where id = $1`,
};

/** What reading connections of the pipelines prepare. */
export const PET_READS: readonly Statement[] = [
  ...[PAGE, PAGE_BEFORE, PAGE_OF_STATUS, PAGE_OF_STATUS_BEFORE],
  ...[PAGE_OF_CATEGORY, PAGE_OF_CATEGORY_BEFORE],
  ...[PAGE_OF_CATEGORY_AND_STATUS, PAGE_OF_CATEGORY_AND_STATUS_BEFORE],
  ...[BY_IDS, FIND, LOAD],
];

/** A statement with the text of its values. */
export type PetQuery = readonly [Statement, readonly string[]];

/** Reads at most `count` rows of a list, newest first. */
export function pageQuery(
  { status, categoryId, before }: Omit<PetPageRequest, 'limit'>,
  count: number,
): PetQuery {
  const limit = String(count);
  if (categoryId !== undefined) {
    if (status === undefined)
      return before === undefined
        ? [PAGE_OF_CATEGORY, [categoryId, limit]]
        : [PAGE_OF_CATEGORY_BEFORE, [categoryId, before, limit]];
    return before === undefined
      ? [PAGE_OF_CATEGORY_AND_STATUS, [categoryId, status, limit]]
      : [PAGE_OF_CATEGORY_AND_STATUS_BEFORE, [categoryId, before, status, limit]];
  }
  if (status === undefined) return before === undefined ? [PAGE, [limit]] : [PAGE_BEFORE, [before, limit]];
  return before === undefined
    ? [PAGE_OF_STATUS, [status, limit]]
    : [PAGE_OF_STATUS_BEFORE, [status, before, limit]];
}

/** Reads those of some animals that meet a filter, newest first. */
export function byIdsQuery(request: PetsByIdsRequest): PetQuery {
  const { ids, status = '', categoryId = '0' } = request;
  return [BY_IDS, [plainArrayLiteral(ids, (id) => id), status, categoryId]];
}
