import { UnexpectedResponseError } from './errors.js';
import { linksTo } from './link-header.js';
import type { RawResponse } from './read-response.js';
import { urlOf } from './url-of.js';

/**
 * A query parameter of the link to the next page; `undefined` without such a link. It alone is taken: the service may
 * know itself by another address than its clients do, and no other server may get the key.
 *
 * @throws UnexpectedResponseError if the response does not say clearly where to go on: an end would be a guess
 */
export function nextOf(response: RawResponse, name: string, operation: string): string | undefined {
  const { url, headers } = response;
  const { targets, isComplete } = linksTo(headers, url, 'next');
  const values = new Set(targets.map((target) => urlOf(target, url)?.searchParams.get(name)));
  if (values.size === 0 && isComplete) return undefined;
  const [value] = values;
  if (values.size === 1 && value) return value;
  throw brokenList('The page does not say where to go on', operation, response);
}

/** @param what is wrong, without the full stop */
export function brokenList(
  what: string,
  operation: string,
  { status, text }: Pick<RawResponse, 'status' | 'text'> = { status: 200, text: '' },
): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `${what}: something in between has changed or repeated a response.`,
    status,
    text,
    operation,
  );
}

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
