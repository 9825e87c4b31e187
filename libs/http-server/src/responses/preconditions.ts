import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { HTTP_ERRORS } from '../errors/http.errors.js';
import { matchesEntityTag, matchesStrongly } from './entity-tag.js';

type Conditional = Pick<IncomingMessage, 'method' | 'headers'>;

/**
 * Refuses fields of preconditions that are no lists of entity tags. If-None-Match of a reader is none of them: it only
 * spares a response, which is sent when the field names nothing.
 *
 * @throws ApiError invalid_parameter
 */
export function requireEntityTags({ method, headers }: Conditional): void {
  requireList('If-Match', headers['if-match']);
  if (!isRead(method)) requireList('If-None-Match', headers['if-none-match']);
}

/**
 * Decides by the current state whether a request is carried out (RFC 9110, section 13.2.2): If-Match comes before
 * If-None-Match. Nothing has a Last-Modified, so that conditions with dates do not count.
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
