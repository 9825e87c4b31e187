import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  chooseRequestId,
  ERROR_CATALOGUE,
  errorBody,
  type ErrorCode,
  JSON_MEDIA_TYPE,
  REQUEST_ID_HEADER,
} from '@petstore/http-kernel';
import { MAX_TARGET_BYTES } from './request-target.js';

interface ParserError extends Error {
  readonly code?: string;
  /** What had arrived when the parser gave up. */
  readonly rawPacket?: Buffer;
}

/** A socket as node's HTTP server keeps it: with the answer that is being written, if any. */
interface ServerSocket extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Answers what node's HTTP parser refuses before a request exists, in the same form as every other
 * error, and closes the connection: after a syntax error nobody knows where the next request begins.
 */
export function answerClientError(error: ParserError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const underWay = (socket as ServerSocket)._httpMessage ?? undefined;
  if (underWay?.req.complete === true) {
    // Requests before this one on the connection are answered first, whole and in their order.
    underWay.once('close', () => {
      answerClientError(error, socket);
    });
    return;
  }
  if (underWay?.headersSent === true) {
    socket.destroy();
    return;
  }
  // Nothing is under way, or the body of the request that is broke off: this is its answer.
  const code = codeOf(error);
  const { status } = ERROR_CATALOGUE[code];
  const body = errorBody(code, messageOf(error));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `Date: ${new Date().toUTCString()}`,
      `Content-Type: ${JSON_MEDIA_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${chooseRequestId(undefined)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}

function codeOf(error: ParserError): ErrorCode {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return endsInRequestLine(error.rawPacket) ? 'uri_too_long' : 'headers_too_large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload_too_large';
    default:
      return 'bad_request';
  }
}

function messageOf(error: ParserError): string | undefined {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : undefined;
}

/** Whether the parser ran full before the first line was over: then the request target is what was too long. */
function endsInRequestLine(packet: Buffer | undefined): boolean {
  const end = packet?.indexOf('\r\n') ?? 0;
  return end === -1 || end > MAX_TARGET_BYTES;
}
