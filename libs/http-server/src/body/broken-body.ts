import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { HttpErrorCode } from '../errors/http.errors.js';

/** An event of requests: the rest of the body will never come. */
export const BROKEN = 'broken';

/** What node's parser finds too large in a body; everything else that it refuses there is a bad request. */
const TOO_LARGE: Readonly<Record<string, HttpErrorCode>> = {
  // Trailers.
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

const PARSER_CODE = Symbol('parserCode');
type RequestWithBody = IncomingMessage & { [PARSER_CODE]?: string };

/**
 * Tells what reads a request's body, now or later, that the body breaks HTTP's rules or has ended too early.
 *
 * @param code of the parser's error
 */
export function breakBody(request: RequestWithBody, code = ''): void {
  request[PARSER_CODE] ??= code;
  request.emit(BROKEN);
}

export function isBodyBroken(request: RequestWithBody): boolean {
  return request.destroyed || request[PARSER_CODE] !== undefined;
}

/** The response to a request whose body cannot be read to its end. */
export function brokenBodyError({ [PARSER_CODE]: parserCode = '' }: RequestWithBody): ApiError {
  const code = TOO_LARGE[parserCode];
  if (code !== undefined) return new ApiError(code);
  return new ApiError('bad_request', { message: 'The request body could not be read to its end.' });
}
