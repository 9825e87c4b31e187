import { isSearch, type PetPageRequest, type PetsByIdsRequest, PetStatus } from '@petstore/pet-domain';
import type { Statement } from '../pipelined-pool/statement.js';
import { asOneRow, orderOf, rangeOf } from '../sql/page.js';
import { PET_JSON, PROFILE_OF_PET, type Shown, shownWith } from './pet.schema.js';
import { tsquery } from './pet-traits.sql.js';

/* A page is read from one index: the primary key, (status, id) or (category_id, status, id). */

/** The columns before the id in the index that a list is read from. */
type Filter = readonly ('category_id' | 'status')[];

interface PageStatement {
  readonly shown: Shown;
  readonly columns: Filter;
  /** SQL of the value of each column. */
  readonly values: readonly string[];
  /** SQL of the id before which the page begins. */
  readonly before?: string | undefined;
  readonly limit: string;
}

function page({ shown: { json, join }, columns, values, before, limit }: PageStatement): string {
  const range = rangeOf(columns, values, before);
  const where = range.length === 0 ? '' : `where ${range.join(' and ')}`;
  return `select id, ${json} as json from pets ${join} ${where} order by ${orderOf(columns)} limit ${limit}`;
}

/**
 * A category in all statuses is merged from a page of each. The outer conditions of a part throw nothing away: they tell
 * the planner that only the id differs, so that the rows come in the order of the merge without a sort, and no more of
 * them are read than the page needs. With `select id, json` in place of `select *` the planner sorts each part. The statuses
 * are values of the statement: of a literal the planner knows how many rows have it, and may take the index of statuses.
 */
function mergedPage(
  shown: Shown,
  statuses: readonly string[],
  before: string | undefined,
  limit: string,
): string {
  const parts = statuses.map((status) => {
    const part = page({
      shown,
      columns: ['category_id', 'status'],
      values: ['$1', status],
      before,
      limit,
    }).replace(' as json from', ' as json, category_id, status from');
    return `(select * from (${part}) part where category_id = $1 and status = ${status} order by id desc)`;
  });
  return `${parts.join(' union all ')} order by id desc limit ${limit}`;
}

/** Takes the category, the status (in a category without one: all), the position and the limit, those that there are. */
function pageStatement(shown: Shown, category: boolean, status: boolean, before: boolean): Statement {
  const columns: Filter = [
    ...(category ? ['category_id' as const] : []),
    ...(status ? ['status' as const] : []),
  ];
  const isMerged = category && !status;
  const values = Array.from(
    { length: isMerged ? 1 + PetStatus.ALL.length : columns.length },
    (_, at) => `$${at + 1}`,
  );
  const position = before ? `$${values.length + 1}` : undefined;
  const limit = `$${values.length + (before ? 2 : 1)}`;
  return {
    name: [`pets_page${shown.name}`, ...columns, ...(before ? ['before'] : [])].join('_'),
    text: asOneRow(
      isMerged
        ? mergedPage(shown, values.slice(1), position, limit)
        : page({ shown, columns, values, before: position, limit }),
      limit,
    ),
  };
}

const PAGES = new Map<string, Statement>();

/** The statement and values that read a page, newest first: one row of JSON, last id and whether more follow. */
export function petPageQuery({
  limit,
  include,
  status,
  categoryId,
  before,
}: PetPageRequest): [Statement, readonly unknown[]] {
  const has = [categoryId !== undefined, status !== undefined, before !== undefined] as const;
  const key = `${has.join()} ${include?.join() ?? ''}`;
  const statement = PAGES.get(key) ?? pageStatement(shownWith(include), ...has);
  PAGES.set(key, statement);
  const statuses = status === undefined && categoryId !== undefined ? PetStatus.ALL : [status];
  const values = [categoryId, ...statuses, before].filter((value) => value !== undefined);
  return [statement, [...values, limit + 1]];
}

/**
 * Some animals by their ids, read from the primary key alone. The filters are said so that no other index serves them: at
 * most 100 rows are looked at, whatever the filters are. An empty status, the category 0 and no tsquery $4 are no filter; $5 says
 * whether words are searched, which stand beside the profile.
 */
function byIds({ name, json, join }: Shown): Statement {
  return {
    name: `pets_by_ids${name}`,
    text: `select id, ${json} from pets ${join} where id = any($1::bigint[])
      and ($2::text = '' or status = $2) and ($3::bigint = 0 or category_id = $3)
      and ($4::tsquery is null
        or case when $5::boolean then (select words from pet_profiles where pet_id = pets.id) else traits end @@ $4)
      order by id desc`,
  };
}

const BY_IDS = new Map<string, Statement>();

/** The statement and values that read some animals by their ids. */
export function petsByIdsQuery({
  ids,
  include,
  status,
  ...filter
}: PetsByIdsRequest): [Statement, readonly unknown[]] {
  const key = include?.join() ?? '';
  const statement = BY_IDS.get(key) ?? byIds(shownWith(include));
  BY_IDS.set(key, statement);
  const wanted = isSearch(filter) ? tsquery(filter) : null;
  return [statement, [ids, status ?? '', filter.categoryId ?? '0', wanted, filter.text !== undefined]];
}

export const FIND_PET: Statement = { name: 'pets_find', text: `select ${PET_JSON} from pets where id = $1` };

/** The profile of an animal; `{}` of one that nobody has described, and no row where there is no animal. */
export const FIND_PROFILE: Statement = {
  name: 'pets_find_profile',
  text: `select coalesce(profile, '{}') from pets ${PROFILE_OF_PET} where id = $1`,
};
