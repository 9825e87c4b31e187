import { formatLinks, type WebLink } from '@petstore/http-kernel';
import { PageLimit } from '@petstore/pet-domain';

/** A page of a list, as far as its links are concerned. */
export interface LinkedPage {
  /** Where the list is found. */
  readonly path: string;
  readonly limit: number;
  /** Query parameters that the links keep; those without a value are left out. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** Cursor of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
  readonly isFirst: boolean;
}

/**
 * Link header field of a page (RFC 8288): `next` unless it is the last one, `first` when it is not the first one.
 * `undefined` when there is neither.
 */
export function pageLinks(page: LinkedPage): string | undefined {
  const links: WebLink[] = [];
  if (page.next !== undefined) links.push({ target: targetOf(page, page.next), rel: 'next' });
  if (!page.isFirst) links.push({ target: targetOf(page), rel: 'first' });
  return links.length === 0 ? undefined : formatLinks(links);
}

function targetOf({ path, limit, filters = {} }: LinkedPage, cursor?: string): string {
  let query = '';
  if (limit !== PageLimit.DEFAULT) query += `&limit=${limit}`;
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query += `&${name}=${value}`;
  if (cursor !== undefined) query += `&cursor=${cursor}`;
  return query === '' ? path : `${path}?${query.slice(1)}`;
}
