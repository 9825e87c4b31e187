import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contextOf, expectsBody } from '../context/request-context.js';
import { ApiError, errorBody } from '../errors/api-error.js';
import { HTTP_ERRORS } from '../errors/http.errors.js';
import { helpLink, type ResponseHeaders, setHeaders } from '../headers/response-headers.js';

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

/** Media type of every response of the contract (specification, section 1). */
export const JSON_MEDIA_TYPE = 'application/json';

/** `Allow` of a path that can only be read. */
export const READ_ONLY: ResponseHeaders = { Allow: 'GET, HEAD, OPTIONS' };

/** A response that a handler returns. The HTTP adapter calls {@link send}. */
export abstract class FinishedResponse {
  /** Writes this response, whole. Called once. */
  abstract send(request: IncomingMessage, response: ServerResponse): void;
}

/** An event of responses: the response has been handed over to node, and is sent as fast as its client reads. */
export const HANDED_OVER = 'handed over';

/** Time in which a client that is still sending may read its response, in milliseconds. */
const LINGER_MS = 2_000;

/** Writes a response whole. */
function write(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body?: string | Uint8Array,
): void {
  const writeWhole = (): void => {
    response.writeHead(status).end(body);
    response.emit(HANDED_OVER);
  };
  if (!expectsBody(request)) writeWhole();
  else
    // What came with the header fields is parsed when they have been handled.
    setImmediate(() => {
      if (expectsBody(request)) writeEarly(request, response, status, body);
      else writeWhole();
    });
}

/**
 * Writes a response to a request that has not arrived completely. It ends the connection (RFC 9112, section 9.6), but only
 * when the client does, or after two seconds: a socket that is closed with unread bytes is reset, and the reset can overtake
 * the response. What still arrives is not read, because parsing chunks of a byte would keep the process from everything else.
 */
function writeEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body?: string | Uint8Array,
): void {
  const note = (): void => {
    const context = contextOf(request);
    if (context !== undefined) context.isResponded = true;
  };
  response.setHeader('Connection', 'close');
  response.writeHead(status);
  if (body === undefined) {
    response.flushHeaders();
    note();
  } else
    response.write(body, (error) => {
      if (error == null) note();
    });
  // Node would read what is left of a request of which nothing was read.
  request.read();
  const timer = setTimeout(() => response.end(), LINGER_MS);
  response.once('close', () => {
    clearTimeout(timer);
  });
  response.emit(HANDED_OVER);
}

/** 204: done, and nothing to say (RFC 9110, section 15.3.5). No body, no Content-Type, no Content-Length. */
export class EmptyResponse extends FinishedResponse {
  constructor(readonly headers: ResponseHeaders = {}) {
    super();
  }

  override send(request: IncomingMessage, response: ServerResponse): void {
    setHeaders(response, this.headers);
    write(request, response, 204);
  }
}

/**
 * The response to a method that a path has no handler for: 204 to OPTIONS (RFC 9110, section 9.3.7).
 *
 * @param headers say how the path can be used: `Allow` at least
 * @throws ApiError method_not_allowed for any other method
 */
export function otherMethod(method: string, headers: ResponseHeaders): EmptyResponse {
  if (method !== 'OPTIONS') throw new ApiError('method_not_allowed', { headers });
  return new EmptyResponse(headers);
}

/**
 * A finished response of the contract: the JSON text as it goes over the wire, so that int64 values stay
 * exact, with the header fields that belong to it.
 */
export class JsonResponse extends FinishedResponse {
  constructor(
    readonly status: number,
    /** As text, or in UTF-8. */
    readonly json: string | Uint8Array,
    readonly headers: ResponseHeaders = {},
    /** Validator, by which the preconditions of the request are judged. */
    private readonly tag?: string,
  ) {
    super();
  }

  static ok(json: string | Uint8Array, headers?: ResponseHeaders): JsonResponse {
    return new JsonResponse(200, json, headers);
  }

  /**
   * 200 with an ETag; 304 or 412 to a request whose preconditions ask for it (RFC 9110, section 13.1).
   *
   * @param tag where the body alone does not say whether the response is the same
   */
  static conditional(
    json: string | Uint8Array,
    headers?: ResponseHeaders,
    tag: string = entityTag(json),
  ): JsonResponse {
    return new JsonResponse(200, json, headers, tag);
  }

  /**
   * A refusal in the one form of all errors (specification, section 7), never to be stored.
   *
   * @param help where the error is explained: the target of a link with `rel="help"` (RFC 8288)
   */
  static error(error: ApiError, help: string): JsonResponse {
    const status = error.getStatus();
    const { code, message } = error;
    return new JsonResponse(status, errorBody({ code, message, status }), {
      'Cache-Control': 'no-store',
      ...error.headers,
      Link: helpLink(help),
    });
  }

  /**
   * To HEAD, node's server sends the same header fields without the body (RFC 9110, section 9.3.2).
   *
   * @throws ApiError invalid_parameter, precondition_failed, before anything of the response is set
   */
  override send(request: IncomingMessage, response: ServerResponse): void {
    const { headers, json, tag } = this;
    const isKnown = tag !== undefined && isNotModified(request, tag);
    const links = response.getHeader('Link');
    setHeaders(response, headers);
    // The field is a list, and what came before this response has set links about the operation (RFC 8288).
    if (links !== undefined && headers['Link'] !== undefined)
      response.setHeader('Link', `${headers['Link']}, ${String(links)}`);
    if (tag !== undefined) response.setHeader('ETag', tag);
    if (isKnown) {
      write(request, response, 304);
      return;
    }
    response.setHeader('Content-Type', JSON_MEDIA_TYPE);
    response.setHeader('Content-Length', Buffer.byteLength(json));
    write(request, response, this.status, json);
  }
}
