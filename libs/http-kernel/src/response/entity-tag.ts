import { hash } from 'node:crypto';

/** A strong validator of an answer's body (RFC 9110, section 8.8.3): equal bodies have equal tags. */
export function entityTag(body: string | Uint8Array): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** Most tags of a list that are looked at; a client that keeps more copies of one answer gets it anew. */
const MAX_TAGS = 64;

const [SPACE, TAB, QUOTE, COMMA, CAPITAL_W, SLASH] = [0x20, 0x09, 0x22, 0x2c, 0x57, 0x2f];

/**
 * Whether an If-None-Match header field names this tag: `*` alone, or a list of entity tags (RFC 9110, sections
 * 8.8.3 and 13.1.2). A comma or a star between quotes is part of a tag. The comparison is weak: caches on the
 * way may have turned the tag into a weak one.
 *
 * A field that is no such list, or one of more than 64 tags, names nothing: the answer is then sent as if it had
 * not been there. One pass, whatever the field holds.
 *
 * @param tag strong, with its quotes
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch === '*') return true;
  const { length } = ifNoneMatch;
  let found = false;
  let tags = 0;
  let at = 0;
  while (at < length) {
    const char = ifNoneMatch.charCodeAt(at);
    if (char === SPACE || char === TAB || char === COMMA) {
      // Lists may hold empty elements (RFC 9110, section 5.6.1.2).
      at++;
      continue;
    }
    if (char === CAPITAL_W && ifNoneMatch.charCodeAt(at + 1) === SLASH) at += 2;
    if (ifNoneMatch.charCodeAt(at) !== QUOTE) return false;
    const end = ifNoneMatch.indexOf('"', at + 1) + 1;
    if (end === 0 || ++tags > MAX_TAGS) return false;
    found ||= end - at === tag.length && ifNoneMatch.startsWith(tag, at);
    at = end;
    while (ifNoneMatch.charCodeAt(at) === SPACE || ifNoneMatch.charCodeAt(at) === TAB) at++;
    if (at < length && ifNoneMatch.charCodeAt(at) !== COMMA) return false;
  }
  return found;
}
