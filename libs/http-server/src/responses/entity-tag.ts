import { hash } from 'node:crypto';

/** A strong validator of an answer's body (RFC 9110, section 8.8.3): equal bodies have equal tags. */
export function entityTag(body: string | Uint8Array): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** Most tags of a list that are looked at; a client that keeps more copies of one answer gets it anew. */
const MAX_TAGS = 64;

/** Neither white space nor controls (RFC 9110, section 8.8.3, etagc); Node gives bytes beyond ASCII as Latin-1. */
const TAG = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

const [SPACE, TAB, QUOTE, COMMA, CAPITAL_W, SLASH] = [0x20, 0x09, 0x22, 0x2c, 0x57, 0x2f];

/**
 * Whether an If-None-Match header field names this tag: `*` alone, or a list of entity tags. The comparison is weak:
 * caches on the way may have turned the tag into a weak one (RFC 9110, section 13.1.2).
 *
 * A field that is no such list names nothing: the response is then sent as if it had not been there.
 *
 * @param tag strong, with its quotes
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch === '*') return true;
  return entityTagsOf(ifNoneMatch)?.some((each) => each.endsWith(tag)) ?? false;
}

/**
 * Whether an If-Match header field names this tag: `*` alone, or a list of entity tags. The comparison is strong: a
 * weak tag names nothing (RFC 9110, section 13.1.1).
 *
 * @param tag strong, with its quotes
 * @returns `undefined` for a field that is no such list
 */
export function matchesStrongly(ifMatch: string, tag: string): boolean | undefined {
  return ifMatch === tag || ifMatch === '*' || entityTagsOf(ifMatch)?.includes(tag);
}

/**
 * The entity tags of a list, weak ones with their `W/` (RFC 9110, sections 5.6.1 and 8.8.3). A comma or a star between
 * quotes is part of a tag. One pass, whatever the field holds.
 *
 * @returns `undefined` for a text that is no such list, and for a list of none or of more than 64 tags
 */
function entityTagsOf(field: string): readonly string[] | undefined {
  const { length } = field;
  const tags: string[] = [];
  let at = 0;
  while (at < length) {
    const char = field.charCodeAt(at);
    if (char === SPACE || char === TAB || char === COMMA) {
      // Lists may hold empty elements (RFC 9110, section 5.6.1.2).
      at++;
      continue;
    }
    const start = at;
    if (char === CAPITAL_W && field.charCodeAt(at + 1) === SLASH) at += 2;
    if (field.charCodeAt(at) !== QUOTE) return undefined;
    const end = field.indexOf('"', at + 1) + 1;
    if (end === 0 || tags.length === MAX_TAGS || !TAG.test(field.slice(at, end))) return undefined;
    tags.push(field.slice(start, end));
    at = end;
    while (field.charCodeAt(at) === SPACE || field.charCodeAt(at) === TAB) at++;
    if (at < length && field.charCodeAt(at) !== COMMA) return undefined;
  }
  return tags.length === 0 ? undefined : tags;
}
