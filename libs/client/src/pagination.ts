import { brokenList } from './next-page.js';

/** What the queries of lists have in common. */
interface ListQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  /** All of them are one page. */
  readonly ids?: readonly unknown[] | undefined;
}

/**
 * All pages of a list, from the one with the cursor of the query, or the first one, to the last.
 *
 * @param items name of the member that has them
 * @throws UnexpectedResponseError for a page that was read before, or leads to one, so that the list would have no end,
 *   and if it would end because something in between removes `Link`
 */
export async function* pagesOf<
  Items extends string,
  Query extends ListQuery,
  Page extends Readonly<Record<Items, readonly { readonly id: bigint }[]>> & {
    readonly next: string | undefined;
  },
>(
  operation: string,
  items: Items,
  list: (query: Query) => Promise<Page>,
  query: Query,
): AsyncGenerator<Page, void, undefined> {
  const { limit = DEFAULT_PAGE, ids } = query;
  const lastOf = (page: Page): bigint | undefined => page[items].at(-1)?.id;
  let page = await list(query);
  // A full page without a link may be one whose link was removed: then a page of another size ends elsewhere.
  if (page.next === undefined && page[items].length === limit && ids === undefined) {
    const other = await list({ ...query, limit: limit === 1 ? 2 : limit - 1 });
    if (other.next === undefined && lastOf(other) !== lastOf(page))
      throw brokenList('The page does not lead to the next one', operation);
  }
  const read = new Set<bigint | string | undefined>([query.cursor]);
  for (;;) {
    const { next } = page;
    for (const mark of [page[items][0]?.id, next]) {
      if (mark !== undefined && read.has(mark))
        throw brokenList('The page was read before, or leads to one that was', operation);
      read.add(mark);
    }
    yield page;
    if (next === undefined) return;
    page = await list({ ...query, cursor: next });
  }
}

/** Items of a page without `limit`. */
const DEFAULT_PAGE = 20;

/** Most items a page of a list may have; so many are asked for where all are wanted, to need the fewest requests. */
export const LARGEST_PAGE = 100;
