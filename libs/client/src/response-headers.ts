const LINK = /<([^>]*)>((?:\s*;\s*[\w-]+="[^"]*")*)/g;
const RELATION = /;\s*rel="([^"]*)"/;

/** The target of the link with this relation (RFC 8288), as the Link header field has it. */
function linkTarget(headers: Headers, relation: string): string | undefined {
  const links = [...(headers.get('Link') ?? '').matchAll(LINK)];
  return links.find(([, , parameters = '']) => RELATION.exec(parameters)?.[1] === relation)?.[1];
}

/**
 * A query parameter of the link to the next page. It alone is taken: the service may know itself by another address than
 * its clients do.
 */
export function linkParameter(headers: Headers, name: string): string | undefined {
  const target = linkTarget(headers, 'next');
  if (target === undefined) return undefined;
  return new URL(target, 'http://relative').searchParams.get(name) ?? undefined;
}

/** Where the docs explain an error, as a whole URL. @param url where the request was sent */
export function helpLink(headers: Headers, url: string): string | undefined {
  const target = linkTarget(headers, 'help');
  return target === undefined || !URL.canParse(target, url) ? undefined : new URL(target, url).href;
}

/** The deprecation header fields of a response (RFC 9745, RFC 8594) as a message; `undefined` if it has none. */
export function deprecationNotice(operation: string, headers: Headers): string | undefined {
  const since = /^@(\d+)$/.exec(headers.get('Deprecation') ?? '')?.[1];
  if (since === undefined) return undefined;
  const sunset = Date.parse(headers.get('Sunset') ?? '');
  const end = Number.isNaN(sunset) ? '' : ` and will be removed on ${day(sunset)}`;
  const sentences = [`${operation} is deprecated since ${day(Number(since) * 1000)}${end}.`];
  const successor = linkTarget(headers, 'successor-version');
  if (successor !== undefined) sentences.push(`Use ${successor} instead.`);
  const page = linkTarget(headers, 'deprecation');
  if (page !== undefined) sentences.push(`See ${page}.`);
  return sentences.join(' ');
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
