import { STATUS_CODES } from 'node:http';
import { errorBody } from '../errors/api-error.js';
import { HTTP_ERRORS, type HttpErrorCode } from '../errors/http.errors.js';
import { chooseRequestId, REQUEST_ID_HEADER } from '../headers/request-id.js';
import type { ErrorHelp } from '../options/http-server.options.js';
import { MAX_TARGET_BYTES } from '../request/request-target.js';
import { helpLink, JSON_MEDIA_TYPE } from '../responses/json-response.js';

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
export function refusalText(error: ParserError, helpOf: ErrorHelp | undefined): string {
  const code = codeOf(error);
  const help = helpOf?.(code);
  const { status } = HTTP_ERRORS[code];
  const body = errorBody(code, messageOf(error));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${JSON_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${chooseRequestId(undefined)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...(help === undefined ? [] : [`Link: ${helpLink(help)}`]),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function codeOf(error: ParserError): HttpErrorCode {
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 'bad_request';
  return endsInRequestLine(error.rawPacket) ? 'uri_too_long' : 'headers_too_large';
}

function messageOf(error: ParserError): string | undefined {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : undefined;
}

/** Whether the parser ran full before the first line was over: then the request target is what was too long. */
function endsInRequestLine(packet: Buffer | undefined): boolean {
  const end = packet?.indexOf('\r\n') ?? 0;
  return end === -1 || end > MAX_TARGET_BYTES;
}
