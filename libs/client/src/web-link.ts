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
