const LINK = /<([^>]*)>((?:\s*;\s*[\w-]+="[^"]*")*)/g;
const RELATION = /;\s*rel="([^"]*)"/;

/** Targets of a Link header field (RFC 8288), by relation. */
export function parseLinks(field: string | null): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, target = '', parameters = ''] of (field ?? '').matchAll(LINK)) {
    const relation = RELATION.exec(parameters)?.[1];
    if (relation !== undefined) links.set(relation, target);
  }
  return links;
}

/**
 * A query parameter of the link to the next page. It alone is taken: the service may know itself by another address than
 * its clients do.
 */
export function linkParameter(headers: Headers, name: string): string | undefined {
  const target = parseLinks(headers.get('Link')).get('next');
  if (target === undefined) return undefined;
  return new URL(target, 'http://relative').searchParams.get(name) ?? undefined;
}

/** Where the link with this relation leads, as a whole URL. @param url where the request was sent */
export function linkTo(relation: string, headers: Headers, url: string): string | undefined {
  const target = parseLinks(headers.get('Link')).get(relation);
  return target === undefined || !URL.canParse(target, url) ? undefined : new URL(target, url).href;
}
