import type { RawResponse } from './exchange.js';

/** Most characters of a foreign text that a message repeats. */
const EXCERPT = 100;

/** Most characters of a body that are searched for something to repeat. */
const SEARCHED = 4_096;

/**
 * What a response is that the service did not send, and what to look at: a page of a gateway, a redirect to a login, or
 * an API that is elsewhere.
 */
export function describeForeignResponse({ status, headers, text }: RawResponse, url: string): string {
  const { host } = new URL(url);
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
  const location = headers.get('Location');
  const said = excerptOf(text);
  const facts = [
    `status ${status}`,
    ...(type === '' ? [] : [type.slice(0, EXCERPT)]),
    ...(location === null ? [] : [`to ${location.slice(0, EXCERPT)}`]),
    ...(said === '' ? [] : [JSON.stringify(said)]),
  ];
  return `The response of ${host} (${facts.join(', ')}) is not one of the service. Something in between has responded, such as a proxy, or baseUrl leads elsewhere.`;
}

/** The title of an HTML page, or else the beginning of the text. */
function excerptOf(text: string): string {
  const start = text.slice(0, SEARCHED);
  const title = /<title[^>]*>([^<]*)</i.exec(start)?.[1];
  const words = (title ?? start.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
  return words.length > EXCERPT ? `${words.slice(0, EXCERPT)}...` : words;
}
