import type { TextRow } from '../pipelined-pool/statement.js';

/** One page of a list as readers get it. */
export interface JsonPage<Id extends string> {
  /** A JSON array. */
  readonly json: string;
  /** Of the last item; `undefined` when the page is empty. */
  readonly last: Id | undefined;
  /** Whether further items follow. */
  readonly more: boolean;
}

/**
 * @param rows id and JSON of each item, at most `limit + 1`: one more than the page tells that another page follows,
 * without counting anything
 */
export function toPage<Id extends string>(rows: readonly TextRow[], limit: number): JsonPage<Id> {
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
