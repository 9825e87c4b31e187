import { parseLinks } from './web-link.js';

/** The deprecation header fields of a response (RFC 9745, RFC 8594) as a message; `undefined` if it has none. */
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
