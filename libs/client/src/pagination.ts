/** All pages of a list, from the one with the cursor of the query, or the first one, to the last. */
export async function* pagesOf<
  Query extends { readonly cursor?: string | undefined },
  Page extends { readonly next: string | undefined },
>(list: (query: Query) => Promise<Page>, query: Query): AsyncGenerator<Page, void, undefined> {
  let cursor = query.cursor;
  do {
    const page = await list({ ...query, cursor });
    yield page;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** Most items a page of a list may have; so many are asked for where all are wanted, to need the fewest requests. */
export const LARGEST_PAGE = 100;
