import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { HTTP_ERRORS } from '../errors/http.errors.js';

type Conditional = Pick<IncomingMessage, 'method' | 'headers'>;

/**
 * Refuses preconditions that are no lists of entity tags. Of a read, a malformed If-None-Match is ignored instead.
 *
 * @throws ApiError invalid_parameter
 */
export function requireEntityTags({ method, headers }: Conditional): void {
  requireList('If-Match', headers['if-match']);
  if (!isRead(method)) requireList('If-None-Match', headers['if-none-match']);
}

/**
 * Evaluates the preconditions of a request (RFC 9110, section 13.2.2), If-Match before If-None-Match. Nothing has a
 * Last-Modified, so conditions with dates are ignored.
 *
 * @param tag strong, of the current state; `undefined` where there is nothing
 * @returns whether a reader has this state already, and is told 304
 * @throws ApiError invalid_parameter; precondition_failed with the current ETag
 */
export function isNotModified(request: Conditional, tag: string | undefined): boolean {
  const { method, headers } = request;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return false;
  requireEntityTags(request);
  if (ifMatch !== undefined && !(tag !== undefined && matchesStrongly(ifMatch, tag)))
    throw failed(tag, whyNotMatched(ifMatch, tag));
  if (tag === undefined || !matchesEntityTag(ifNoneMatch, tag)) return false;
  if (isRead(method)) return true;
  throw failed(
    tag,
    ifNoneMatch === '*'
      ? 'It exists already, and If-None-Match: * asks that it does not.'
      : 'It is in a state that If-None-Match excludes.',
  );
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

function requireList(name: string, field: string | undefined): void {
  if (field === undefined || matchesStrongly(field, '""') !== undefined) return;
  throw new ApiError('invalid_parameter', {
    message: `${name} must be * or a list of at most 64 entity tags, each in quotation marks.`,
  });
}

function whyNotMatched(ifMatch: string, tag: string | undefined): string {
  if (tag === undefined) return 'It does not exist, and If-Match asks for a state of it.';
  if (matchesEntityTag(ifMatch, tag))
    return 'If-Match needs the entity tag without W/: it is compared strongly.';
  return HTTP_ERRORS.precondition_failed.message;
}

function failed(tag: string | undefined, message: string): ApiError {
  return new ApiError('precondition_failed', {
    message,
    ...(tag !== undefined && { headers: { ETag: tag } }),
  });
}

/** A strong validator of a response's body (RFC 9110, section 8.8.3): equal bodies have equal tags. */
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
function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
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
function matchesStrongly(ifMatch: string, tag: string): boolean | undefined {
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
