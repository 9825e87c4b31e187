import { linksTo } from './link-header.js';
import type { TaggedResource } from './resources.js';
import { urlOf } from './url-of.js';

/** Where the docs explain an error, as a whole URL. @param url where the request was sent */
export function helpLink(headers: Headers, url: string): string | undefined {
  const [target] = linksTo(headers, url, 'help').targets;
  return target === undefined ? undefined : urlOf(target, url)?.href;
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

/** Not in the resources: an animal has only members of the contract, and a changed copy has no tag. */
const TAGS = new WeakMap<object, string>();

/** Keeps the `ETag` of a response for its body. */
export function keepTag(body: unknown, headers: Headers): void {
  const tag = headers.get('ETag');
  if (tag !== null && typeof body === 'object' && body !== null) TAGS.set(body, tag);
}

/**
 * Entity tag of an animal, a profile, a category or a webhook, for `ifMatch` of a later write; a text that can be stored.
 *
 * @param resource the object that `createPet`, `updatePet`, `getPet`, those of profiles, `create`, `put` or `get` of `categories`,
 *   or `create`, `update` or `get` of `webhooks` returned, not a copy of it
 * @throws TypeError for any other object, such as an animal of a list: lists have no tags of their animals
 */
export function etagOf(resource: TaggedResource): string {
  const tag = TAGS.get(resource);
  if (tag === undefined) {
    throw new TypeError(
      'The object is not what a creation, a change or the fetching of one resource returned.',
    );
  }
  return tag;
}
