import { linksTo } from './link-header.js';

/** Where the docs explain an error, as a whole URL. @param url where the request was sent */
export function helpLink(headers: Headers, url: string): string | undefined {
  const [target] = linksTo(headers, url, 'help').targets;
  return target === undefined || !URL.canParse(target, url) ? undefined : new URL(target, url).href;
}

/** The deprecation header fields of a response (RFC 9745, RFC 8594) as a message; `undefined` if it has none. */
export function deprecationNotice(operation: string, headers: Headers, url: string): string | undefined {
  // Eleven digits go up to the year 5138; not every number is a date.
  const since = /^@(\d{1,11})$/.exec(headers.get('Deprecation') ?? '')?.[1];
  if (since === undefined) return undefined;
  const sunset = Date.parse(headers.get('Sunset') ?? '');
  const end = Number.isNaN(sunset) ? '' : ` and will be removed on ${day(sunset)}`;
  const sentences = [`${operation} is deprecated since ${day(Number(since) * 1000)}${end}.`];
  const [successor] = linksTo(headers, url, 'successor-version').targets;
  if (successor !== undefined) sentences.push(`Use ${successor} instead.`);
  const [page] = linksTo(headers, url, 'deprecation').targets;
  if (page !== undefined) sentences.push(`See ${page}.`);
  return sentences.join(' ');
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
