import { parseLinks } from './web-link.js';

/** What an answer says of the deprecation of its operation (RFC 9745, RFC 8594), as one sentence or two. */
export function deprecationNotice(operation: string, headers: Headers): string | undefined {
  const since = /^@(\d+)$/.exec(headers.get('Deprecation') ?? '')?.[1];
  if (since === undefined) return undefined;
  const sunset = Date.parse(headers.get('Sunset') ?? '');
  const links = parseLinks(headers.get('Link'));
  const end = Number.isNaN(sunset) ? '' : ` and will be removed on ${day(sunset)}`;
  const sentences = [`${operation} is deprecated since ${day(Number(since) * 1000)}${end}.`];
  const successor = links.get('successor-version');
  if (successor !== undefined) sentences.push(`Use ${successor} instead.`);
  const page = links.get('deprecation');
  if (page !== undefined) sentences.push(`See ${page}.`);
  return sentences.join(' ');
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
