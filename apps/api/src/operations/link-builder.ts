import { formatLinks, type WebLink } from '@petstore/http-server';

/** Query parameters of a link by name; those without a value are left out. */
export type LinkParameters = Readonly<Record<string, unknown>>;

/** A value as a query has it (RFC 3986): percent-encoded but for commas, which part the values of a list. */
export function encodeValue(value: unknown): string {
  return encodeURIComponent(String(value)).replaceAll('%2C', ',');
}

/** Where resources and lists are found, as clients write it. */
export class LinkBuilder {
  /** @param base of the API: `/v1`, or an absolute URL that ends in it */
  constructor(private readonly base: string) {}

  /** Of a resource; for the Location header field. @param path below the base of the API */
  to(path: string): string {
    return this.base + path;
  }

  /** Of a page of the guide, which is served beside the API. @param page its name, with an anchor where there is one */
  guide(page: string): string {
    return this.base.replace(/\/v1$/, `/docs/guide/${page}`);
  }

  /**
   * Link header field of a page (RFC 8288): `next` unless it is the last one, `first` when it is not the first one.
   * `undefined` when there is neither.
   *
   * @param path of the list, below the base of the API
   * @param parameters that the links keep
   * @param page the cursor of the next one, and whether the request had none
   */
  ofPage(
    path: string,
    parameters: LinkParameters,
    { next, isFirst }: { readonly next: string | undefined; readonly isFirst: boolean },
  ): string | undefined {
    const links: WebLink[] = [];
    if (next !== undefined)
      links.push({ target: this.list(path, { ...parameters, cursor: next }), rel: 'next' });
    if (!isFirst) links.push({ target: this.list(path, parameters), rel: 'first' });
    return links.length === 0 ? undefined : formatLinks(links);
  }

  /** Of a list with these parameters. @param path below the base of the API */
  list(path: string, parameters: LinkParameters): string {
    let query = '';
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query += `${query === '' ? '?' : '&'}${name}=${encodeValue(value)}`;
    }
    return this.base + path + query;
  }
}
