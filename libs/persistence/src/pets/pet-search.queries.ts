import type { PetPageRequest } from '@petstore/pet-domain';
import type { Statement } from '../pipelined-pool/statement.js';
import { asOneRow } from '../sql/page.js';
import { type Shown, shownWith } from './pet.schema.js';
import { tsquery } from './pet-traits.sql.js';

/*
 * A search is one statement in steps, newest animals first; a step is taken only if those before it did not fill the page.
 * The first looks at some animals one after the other: where one in ten is wanted, it is all that is needed. The others
 * ask the index for what is wanted within a range of ids, of which it knows thousands by one entry (`#122`): so that of a
 * million dogs not all are read and sorted. What the last step reads is little in a table where the animals are mixed,
 * since the steps before have found less than a page among tens of thousands.
 *
 * Most pages of 300 searches among a million animals: `docs/performance.md`. The session plans bitmap scans for these
 * statements (`PLANNER_SETTINGS`); `offset 0` keeps the planner from walking the primary key instead.
 */

/** Animals by one entry of the index, as a power of 2: part of the index's definition. */
const RANGE = 13;
/** Ranges of the first and of the second step by index. */
const NEAR = 2;
const FAR = 4;
/** The greatest id. */
const NO_BEFORE = '9223372036854775807';

/** Where the traits of a search are found. */
interface Place {
  readonly table: string;
  readonly id: string;
  /** SQL of what is searched: the first column of the index without and with what only the index has. */
  readonly column: string;
  readonly indexed: string;
  /** Animals that the first step looks at. */
  readonly walk: number;
  /** SQL: whether an animal has the status $4, where the index does not know it. */
  readonly status?: string;
}

const PETS: Place = {
  table: 'pets',
  id: 'id',
  column: `(traits || array_to_tsvector(array['status ' || status]))`,
  indexed: `(traits || array_to_tsvector(array['status ' || status, '#' || (id >> ${RANGE})]))`,
  walk: 500,
};
const PROFILES: Place = {
  table: 'pet_profiles',
  id: 'pet_id',
  column: 'words',
  indexed: `(words || array_to_tsvector(array['#' || (pet_id >> ${RANGE})]))`,
  walk: 500,
  status: `$4::text = '' or (select status from pets where pets.id = found.id) = $4`,
};

/** The newest of some ids. The status is looked at in their order, until there are enough. */
function newest(ids: string, { status }: Place): string {
  const sorted = `select id from (${ids}) found where id < $2::bigint order by id desc`;
  if (status === undefined) return `${sorted} limit $3::int`;
  return `select id from (${sorted} offset 0) found where ${status} limit $3::int`;
}

/** @param ranges SQL of a tsquery that is added; none for all older animals. @param before steps that must not have filled the page */
function byIndex(place: Place, ranges: string | undefined, before: readonly string[]): string {
  const { table, id, indexed } = place;
  const wanted = ranges === undefined ? '$1::tsquery' : `($1::tsquery && (${ranges}))`;
  const counts = before.map((step) => `(select count(*) from ${step})`).join(' + ');
  // What the first step has found is found again by the next one.
  const isFilled = `greatest((select count(*) from walked), ${counts || '0'}) >= $3::int`;
  return newest(
    `select ${id} as id from ${table} where ${indexed} @@ ${wanted} and not ${isFilled} offset 0`,
    place,
  );
}

const ranges = (from: number, count: number): string => `
  select string_agg(format('%L', '#' || range), '|')::tsquery
  from place, generate_series(newest - ${from + count - 1}, newest - ${from}) range`;

/** Takes a tsquery, the id before which the page begins, the most rows; with words the status or an empty text. */
function searchStatement(place: Place, { name, json, join }: Shown): Statement {
  const { table, id, column, walk } = place;
  const walked = `
    select ${id} as id, ${column} as wanted from ${table} where ${id} < $2::bigint order by ${id} desc limit ${walk}`;
  const status = place.status === undefined ? '' : `and (${place.status})`;
  const rows = `
    select id, ${json} as json
    from (
      select id as found_id from walked union select id from near union select id from far union select id from rest
    ) found cross join lateral (select * from pets where id = found_id limit 1) pets ${join}
    order by id desc limit $3::int`;
  return {
    name: `search_${table}${name}`,
    text: `with walked as materialized (
        select id from (${walked}) found where wanted @@ $1::tsquery ${status} limit $3::int
      ), place as materialized (
        select least($2::bigint - 1, coalesce((select max(id) from pets), 0)) >> ${RANGE} as newest
      ), near as materialized (${byIndex(place, ranges(0, NEAR), [])}
      ), far as materialized (${byIndex(place, ranges(NEAR, FAR), ['near'])}
      ), rest as materialized (${byIndex(place, undefined, ['near', 'far'])}
      ) ${asOneRow(rows, '$3::int')}`,
  };
}

const STATEMENTS = new Map<string, Statement>();

/** The statement and values that read a page of a search, newest first, as `petPageQuery` reads one of a list. */
export function petSearchQuery({
  limit,
  before = NO_BEFORE as never,
  include,
  ...filter
}: PetPageRequest): [Statement, readonly unknown[]] {
  const isByWords = filter.text !== undefined;
  const key = `${isByWords} ${include?.join() ?? ''}`;
  const statement = STATEMENTS.get(key) ?? searchStatement(isByWords ? PROFILES : PETS, shownWith(include));
  STATEMENTS.set(key, statement);
  const { status, ...wanted } = filter;
  return isByWords
    ? [statement, [tsquery(wanted), before, limit + 1, status ?? '']]
    : [statement, [tsquery(filter), before, limit + 1]];
}
