import type { IncomingMessage, ServerResponse } from 'node:http';
import { contextOf, expectsBody } from '../context/request-context.js';
import { ApiError } from '../errors/api-error.js';
import { helpLink, type ResponseHeaders, setHeaders } from '../headers/headers.js';
import { entityTag, isNotModified } from './preconditions.js';

/** Media type of every response of the contract (docs/contract.md, "Bodies"). */
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

/** Writes a response. */
function write(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body?: string | Uint8Array,
): void {
  if (!expectsBody(request)) writeWhole(response, status, body);
  else
    // What came with the header fields is parsed when they have been handled.
    setImmediate(() => {
      if (expectsBody(request)) writeEarly(request, response, status, body);
      else writeWhole(response, status, body);
    });
}

function writeWhole(response: ServerResponse, status: number, body?: string | Uint8Array): void {
  response.writeHead(status).end(body);
  response.emit(HANDED_OVER);
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
   * A refusal in the one form of all errors (docs/contract.md, "Errors"), never to be stored.
   *
   * @param help where the error is explained: the target of a link with `rel="help"` (RFC 8288)
   */
  static error(error: ApiError, help: string): JsonResponse {
    return new JsonResponse(error.getStatus(), error.json, {
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
