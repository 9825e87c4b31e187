import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { MAX_HEADER_FIELDS, MAX_TARGET_BYTES } from '../limits.js';
import { isOriginForm } from './target.js';

/**
 * Refuses requests whose form is wrong, like what the parser refuses: before the key is looked at. It comes behind CORS, so
 * that a page can read the refusal.
 */
@Injectable()
export class RequestFormMiddleware implements NestMiddleware<Request, Response> {
  readonly use = (request: Request, _response: Response, next: NextFunction): void => {
    next(refusalOf(request));
  };
}

function refusalOf(request: Request): ApiError | undefined {
  const { rawHeaders, originalUrl, url } = request;
  if (rawHeaders.length > 2 * MAX_HEADER_FIELDS)
    return new ApiError('headers_too_large', {
      message: `A request may have at most ${MAX_HEADER_FIELDS} header fields.`,
      headers: { Connection: 'close' },
    });
  if (originalUrl.length > MAX_TARGET_BYTES) return new ApiError('uri_too_long');
  const message = troubleWithHost(request) ?? troubleWithTransfer(request);
  if (message !== undefined) return new ApiError('bad_request', { message });
  return isOriginForm(url)
    ? undefined
    : new ApiError('bad_request', { message: 'The request target is not a path with an optional query.' });
}

/** What may stand in a Host field (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const HOST = /^[\w\-.~%!$&'()*+,;=:[\]]*$/;

/** Why a request is refused for its Host field: HTTP/1.1 has one (RFC 9112, section 3.2). */
function troubleWithHost({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === '1.1' ? 'An HTTP/1.1 request needs a Host header.' : undefined;
  }
  // Node keeps the first one.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i])) hosts++;
  return hosts > 1 || !HOST.test(host)
    ? 'A request needs exactly one Host header, with a host name.'
    : undefined;
}

/** Whether this is the name of the field; case does not count. */
function isHost(name = ''): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}

/** Bodies are taken in chunks, and in no other transfer coding (RFC 9112, section 6.1). */
function troubleWithTransfer({ headers }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : 'The only Transfer-Encoding that is supported is chunked.';
}
