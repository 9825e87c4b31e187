import type { ServerResponse } from 'node:http';

/** Header fields of a response, by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** One link of a Link header field (RFC 8288). */
export interface WebLink {
  /** A path reference or an absolute URI; must not hold `>`. */
  readonly target: string;
  readonly rel: string;
  /** Media type of what the link leads to. */
  readonly type?: string;
}

/** Sets header fields, each in the place of one of the same name. */
export function setHeaders(response: ServerResponse, headers: ResponseHeaders): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}

/** The value of a Link header field (RFC 8288, section 3). */
export function formatLinks(links: readonly WebLink[]): string {
  return links
    .map(
      ({ target, rel, type }) => `<${target}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`,
    )
    .join(', ');
}

/** The value of a Link header field that leads to the explanation of an error. @param target a path reference or a URI */
export function helpLink(target: string): string {
  return formatLinks([{ target, rel: 'help', type: 'text/html' }]);
}
