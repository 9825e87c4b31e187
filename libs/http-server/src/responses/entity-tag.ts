import { hash } from 'node:crypto';

/** A strong validator of an answer's body (RFC 9110, section 8.8.3): equal bodies have equal tags. */
export function entityTag(body: string | Uint8Array): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** Weak or strong, without white space or controls (RFC 9110, section 8.8.3); node gives bytes beyond ASCII as Latin-1. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const TAGS = new RegExp(TAG, 'g');

/**
 * A list of tags, which may have empty elements (RFC 9110, section 5.6.1.2). Of at most 64: a client that keeps more copies
 * of one response gets it anew. No part can match what the part after it does, so that a field is read in one pass,
 * whatever it holds.
 */
const LIST = new RegExp(String.raw`^[ \t,]*${TAG}(?:[ \t]*,[ \t,]*${TAG}){0,63}[ \t,]*$`);

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
 * The entity tags of a list, weak ones with their `W/`. A comma or a star between quotes is part of a tag.
 *
 * @returns `undefined` for a text that is no such list, and for a list of none or of more than 64 tags
 */
function entityTagsOf(field: string): readonly string[] | undefined {
  return LIST.test(field) ? (field.match(TAGS) ?? undefined) : undefined;
}
