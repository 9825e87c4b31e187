import type { Page } from '@petstore/pet-domain';
import { isTrue, type TextRow } from '../pipelined-pool/statement.js';

/*
 * A page is read as one item more than it holds: that one tells whether another page follows, without counting anything.
 * It is looked for here (`toPage`), or by the database where lists are read thousands of times a second (`asOneRow`).
 */

/**
 * SQL: the rows of a list in its index, whose columns are those of the list's filters and the id, before a position. Read
 * backwards, which {@link orderOf} asks for, a page begins and ends at one place in the index, whatever else the table holds.
 *
 * The last column is a range, although it has one value: with an equality of all of them a generic plan may walk the primary
 * key and throw away rows of other values, of which there can be millions. The columns before it are equalities: a range of
 * rows, `(a, b) >= ($1, $2)`, ends a backward scan only where its first column changes (PostgreSQL 15 to 17), and a range
 * for each column begins it at the bound of the first one alone. They are said as ranges, too, so that the planner expects
 * less of this index than of one that has the last column alone, even where all rows seem to have the same value.
 *
 * @param columns before the id in the index
 * @param values SQL of the value of each of them
 * @param before SQL of the id before which the page begins
 */
export function rangeOf(
  columns: readonly string[],
  values: readonly string[],
  before?: string,
): readonly string[] {
  const conditions = columns.flatMap((column, at) => {
    const value = values[at] ?? 'null';
    const range = [`${column} >= ${value}`, `${column} <= ${value}`];
    if (at < columns.length - 1) return [`${column} = ${value}`, ...range];
    return before === undefined
      ? range
      : [`${column} >= ${value}`, `(${column}, id) < (${value}, ${before})`];
  });
  return columns.length === 0 && before !== undefined ? [`id < ${before}`] : conditions;
}

/** SQL: the order in which the rows of {@link rangeOf} are read. */
export function orderOf(columns: readonly string[]): string {
  return [...columns, 'id'].map((column) => `${column} desc`).join(', ');
}

/** @param items at most `limit + 1` @param json writes one */
export function toPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
  json: (item: Item) => string,
): Page<Item['id']> {
  const page = items.slice(0, limit);
  return { json: `[${page.map(json).join(',')}]`, last: page.at(-1)?.id, more: items.length > limit };
}

/** @param rows id and JSON of each item */
export function toJsonArray(rows: readonly TextRow[]): string {
  return `[${rows.map(([, json]) => json).join(',')}]`;
}

/**
 * The page of these rows as one row: its items as a JSON array, the id of the last one, and whether more follow. A row for
 * each item takes three times as long to read, and a tenth of what a list of 100 costs this process; PostgreSQL spends
 * half of that on the array. The rows of the inner select are numbered and joined in its order.
 *
 * @param count SQL of the most rows: one more than the page holds
 */
export function asOneRow(rows: string, count: string): string {
  const ofPage = `filter (where at < ${count})`;
  return `select concat('[', string_agg(json, ',') ${ofPage}, ']'), min(id) ${ofPage}, count(*) = ${count}
    from (select id, json, row_number() over () as at from (${rows}) item) page`;
}

/** The page of what {@link asOneRow} selects. */
export function ofOneRow<Id extends string>([row = []]: readonly TextRow[]): Page<Id> {
  const [json, last, more] = row;
  return { json: json ?? '[]', last: (last ?? undefined) as Id | undefined, more: isTrue(more) };
}
