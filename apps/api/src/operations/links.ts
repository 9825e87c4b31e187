import { Inject, Injectable } from '@nestjs/common';
import { formatLinks, type WebLink } from '@petstore/http-kernel';
import { PageLimit } from '@petstore/pet-domain';
import { API_BASE_URL } from './api-base-url.js';

/** A page of a list, as far as its links are concerned. */
export interface LinkedPage {
  /** Of the list, below the base of the API. */
  readonly path: string;
  readonly limit: number;
  /** Query parameters that the links keep; those without a value are left out. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** Cursor of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
  /** Whether the request had no cursor. */
  readonly isFirst: boolean;
}

/** Where resources and lists are found, as clients write it. */
@Injectable()
export class Links {
  /** @param base `/v1`, or an absolute URL that ends in it */
  constructor(@Inject(API_BASE_URL) private readonly base: string) {}

  /** Of a resource; for the Location header field. @param path below the base of the API */
  to(path: string): string {
    return this.base + path;
  }

  /**
   * Link header field of a page (RFC 8288): `next` unless it is the last one, `first` when it is not the first one.
   * `undefined` when there is neither.
   */
  ofPage({ path, limit, filters, next, isFirst }: LinkedPage): string | undefined {
    const links: WebLink[] = [];
    if (next !== undefined)
      links.push({ target: this.list(path, { limit, ...filters, cursor: next }), rel: 'next' });
    if (!isFirst) links.push({ target: this.list(path, { limit, ...filters }), rel: 'first' });
    return links.length === 0 ? undefined : formatLinks(links);
  }

  /** The target of a list with these parameters; the usual limit, and what has no value, are left out. */
  list(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
    let query = '';
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || (name === 'limit' && value === PageLimit.DEFAULT)) continue;
      query += `${query === '' ? '?' : '&'}${name}=${value}`;
    }
    return this.base + path + query;
  }
}
