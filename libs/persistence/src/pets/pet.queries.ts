import { isSearch, type PetPageRequest, type PetsByIdsRequest, PetStatus } from '@petstore/pet-domain';
import type { Statement } from '../pipelined-pool/statement.js';
import { asOneRow, orderOf, rangeOf } from '../sql/page.js';
import { PET_JSON, PET_WITH_PROFILE_JSON, PROFILE_OF_PET } from './pet.schema.js';
import { MATCHES, tsquery } from './pet-traits.sql.js';

/* A page is read from one index: the primary key, (status, id) or (category_id, status, id). */

/** The columns before the id in the index that a list is read from. */
type Filter = readonly ('category_id' | 'status')[];

/** What is read of each animal, and from which tables. */
interface Source {
  readonly json: string;
  readonly from: string;
}

const PETS: Source = { json: PET_JSON, from: 'pets' };
const PETS_WITH_PROFILES: Source = { json: PET_WITH_PROFILE_JSON, from: `pets ${PROFILE_OF_PET}` };

interface PageStatement {
  readonly source: Source;
  readonly columns: Filter;
  /** SQL of the value of each column. */
  readonly values: readonly string[];
  /** SQL of the id before which the page begins. */
  readonly before?: string | undefined;
  readonly limit: string;
}

function page({ source: { json, from }, columns, values, before, limit }: PageStatement): string {
  const range = rangeOf(columns, values, before);
  const where = range.length === 0 ? '' : `where ${range.join(' and ')}`;
  return `select id, ${json} as json from ${from} ${where} order by ${orderOf(columns)} limit ${limit}`;
}

/**
 * A category in all statuses is merged from a page of each. The outer conditions of a part throw nothing away: they tell
 * the planner that only the id differs, so that the rows come in the order of the merge without a sort, and no more of
 * them are read than the page needs. With `select id, json` in place of `select *` the planner sorts each part. The statuses
 * are values of the statement: of a literal the planner knows how many rows have it, and may take the index of statuses.
 */
function mergedPage(
  source: Source,
  statuses: readonly string[],
  before: string | undefined,
  limit: string,
): string {
  const parts = statuses.map((status) => {
    const part = page({
      source,
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
function pageStatement(profiles: boolean, category: boolean, status: boolean, before: boolean): Statement {
  const source = profiles ? PETS_WITH_PROFILES : PETS;
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
    name: [
      profiles ? 'pets_page_with_profiles' : 'pets_page',
      ...columns,
      ...(before ? ['before'] : []),
    ].join('_'),
    text: asOneRow(
      isMerged
        ? mergedPage(source, values.slice(1), position, limit)
        : page({ source, columns, values, before: position, limit }),
      limit,
    ),
  };
}

const PAGES = new Map<string, Statement>();

/** The statement and values that read a page, newest first: one row of JSON, last id and whether more follow. */
export function petPageQuery({
  limit,
  withProfiles = false,
  status,
  categoryId,
  before,
}: PetPageRequest): [Statement, readonly unknown[]] {
  const has = [withProfiles, categoryId !== undefined, status !== undefined, before !== undefined] as const;
  const key = has.join();
  const statement = PAGES.get(key) ?? pageStatement(...has);
  PAGES.set(key, statement);
  const statuses = status === undefined && categoryId !== undefined ? PetStatus.ALL : [status];
  const values = [categoryId, ...statuses, before].filter((value) => value !== undefined);
  return [statement, [...values, limit + 1]];
}

/**
 * Some animals by their ids, read from the primary key alone. The filters are said so that no other index serves them: at
 * most 100 rows are looked at, whatever the filters are. An empty status and the category 0 are no filter.
 *
 * @param matches SQL: whether an animal is what is searched by the tsquery $4
 */
function byIds(name: string, { json, from }: Source, matches = 'true'): Statement {
  return {
    name,
    text: `select id, ${json} from ${from} where id = any($1::bigint[])
      and ($2::text = '' or status = $2) and ($3::bigint = 0 or category_id = $3) and ${matches} order by id desc`,
  };
}

const BY_IDS = {
  plain: [byIds('pets_by_ids', PETS), byIds('pets_by_ids_with_profiles', PETS_WITH_PROFILES)],
  traits: [
    byIds('pets_by_ids_search', PETS, MATCHES.traits('$4::tsquery')),
    byIds('pets_by_ids_search_with_profiles', PETS_WITH_PROFILES, MATCHES.traits('$4::tsquery')),
  ],
  words: [
    byIds('pets_by_ids_search_words', PETS, MATCHES.words('$4::tsquery')),
    byIds('pets_by_ids_search_words_with_profiles', PETS_WITH_PROFILES, MATCHES.words('$4::tsquery')),
  ],
} as const;

/** The statement and values that read some animals by their ids. */
export function petsByIdsQuery({
  ids,
  withProfiles = false,
  status,
  ...filter
}: PetsByIdsRequest): [Statement, readonly unknown[]] {
  const kind = filter.text !== undefined ? 'words' : isSearch(filter) ? 'traits' : 'plain';
  const values = [ids, status ?? '', filter.categoryId ?? '0'];
  return [BY_IDS[kind][withProfiles ? 1 : 0], kind === 'plain' ? values : [...values, tsquery(filter)]];
}

export const FIND_PET: Statement = { name: 'pets_find', text: `select ${PET_JSON} from pets where id = $1` };

/** The profile of an animal; `{}` of one that nobody has described, and no row where there is no animal. */
export const FIND_PROFILE: Statement = {
  name: 'pets_find_profile',
  text: `select coalesce(profile, '{}') from pets ${PROFILE_OF_PET} where id = $1`,
};
