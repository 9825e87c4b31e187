/** One link of a Link header field (RFC 8288). */
export interface WebLink {
  /** A path reference or an absolute URI; must not hold `>`. */
  readonly target: string;
  readonly rel: string;
  /** Media type of what the link leads to. */
  readonly type?: string;
}

/** The value of a Link header field (RFC 8288, section 3). */
export function formatLinks(links: readonly WebLink[]): string {
  return links
    .map(
      ({ target, rel, type }) => `<${target}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`,
    )
    .join(', ');
}
