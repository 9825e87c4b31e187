import type { IncomingMessage } from 'node:http';

/** RFC 9110, section 11.4: the scheme in any case, one or more spaces, one token68. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const OTHER_SCHEME = /^(?!bearer(?: |$))\S+(?: |$)/i;

/** A credential was sent, but not as one bearer token: no key has this text. */
export const MALFORMED = '';

/**
 * The key that a request presents: `undefined` when it presents none (no Authorization field, an empty
 * one, or another scheme, which RFC 6750, section 3.1, counts as none), {@link MALFORMED} when it
 * presents anything but one bearer token.
 *
 * Reads the raw fields: node drops a second Authorization field from `headers` without a word.
 */
export function readBearerToken(request: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  const { rawHeaders } = request;
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return MALFORMED;
    value = rawHeaders[i + 1];
  }
  if (value === undefined) return undefined;
  const token = BEARER.exec(value)?.[1];
  if (token !== undefined) return token;
  const text = value.trim();
  return text === '' || OTHER_SCHEME.test(text) || /^bearer$/i.test(text) ? undefined : MALFORMED;
}
