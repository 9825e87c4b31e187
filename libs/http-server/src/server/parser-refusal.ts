import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { errorBody } from '../errors/api-error.js';
import { HTTP_ERRORS, type HttpErrorCode } from '../errors/http.errors.js';
import { REQUEST_ID_HEADER } from '../context/request-context.js';
import { helpLink } from '../headers/response-headers.js';
import type { ErrorMapper } from '../errors/error-mapper.js';
import { MAX_TARGET_BYTES } from '../limits.js';
import { JSON_MEDIA_TYPE } from '../responses/responses.js';

/** What node's HTTP parser, or its clock, says of a request that it refuses. */
export interface ParserError extends Error {
  readonly code?: string;
  /** What had arrived when the parser gave up. */
  readonly rawPacket?: Buffer;
}

/**
 * The response to what node's HTTP parser refuses before a request exists, whole, in the same form as every other
 * error (specification, section 7).
 */
export function refusalText(error: ParserError, helpOf: ErrorMapper['helpOf']): string {
  const { code, status, message } = HTTP_ERRORS[codeOf(error)];
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = errorBody({
    code,
    message: isLate ? 'The request did not arrive in time.' : message,
    status,
  });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${JSON_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${randomUUID()}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Link: ${helpLink(helpOf(code))}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function codeOf(error: ParserError): HttpErrorCode {
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 'bad_request';
  return endsInRequestLine(error.rawPacket) ? 'uri_too_long' : 'headers_too_large';
}

/** Whether the parser ran full before the first line was over: then the request target is what was too long. */
function endsInRequestLine(packet: Buffer | undefined): boolean {
  const end = packet?.indexOf('\r\n') ?? 0;
  return end === -1 || end > MAX_TARGET_BYTES;
}
