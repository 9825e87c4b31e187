import type { Page } from '@petstore/pet-domain';
import { isTrue, type TextRow } from '../pipelined-pool/statement.js';

/*
 * A page is read as one item more than it holds: that one tells whether another page follows, without counting anything.
 * It is looked for here (`toPage`), or by the database where lists are read thousands of times a second (`asOneRow`).
 */

/** @param rows id and JSON of each item, at most `limit + 1` */
export function toPage<Id extends string>(rows: readonly TextRow[], limit: number): Page<Id> {
  const items = rows.slice(0, limit);
  return {
    json: toJsonArray(items),
    last: (items.at(-1)?.[0] ?? undefined) as Id | undefined,
    more: rows.length > limit,
  };
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
