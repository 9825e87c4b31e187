import { formatLinks, type WebLink } from '@petstore/http-server';

/** Path that every operation stands under; in the document it is part of the servers (docs/contract.md, "Versions"). */
export const API_BASE_PATH = '/v1';

/** Path of the Model Context Protocol, which is no part of the OpenAPI document. */
export const MCP_PATH = '/mcp';

/** Whether a request target leads to the API: to operations of the contract, or to the Model Context Protocol. */
export function isOfApi(target: string): boolean {
  return target.startsWith(API_BASE_PATH) || target === MCP_PATH || target.startsWith(`${MCP_PATH}?`);
}

export const LIVENESS_PATH = '/livez';
export const READINESS_PATH = '/readyz';

/** The paths of the health checks, which are neither metered nor logged one by one. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set([LIVENESS_PATH, READINESS_PATH]);

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
