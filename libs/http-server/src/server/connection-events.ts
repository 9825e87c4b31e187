import { randomUUID } from 'node:crypto';
import { type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { breakBody } from '../body/request-body.js';
import { REQUEST_ID_HEADER, type RequestObserver } from '../context/request-context.js';
import { errorBody } from '../errors/api-error.js';
import type { ErrorMapper } from '../errors/error.filter.js';
import { HTTP_ERRORS, type HttpErrorCode, MAX_TARGET_BYTES } from '../errors/http.errors.js';
import { helpLink } from '../headers/headers.js';
import { JSON_MEDIA_TYPE } from '../responses/responses.js';
import { oneAfterTheOther, openResponses } from './request-order.js';

/** Time in which a refused client may notice that its connection is being closed, in milliseconds. */
const LINGER_MS = 2_000;

/** Handles what node's HTTP server emits: requests, one after the other on a connection, and what its parser refuses. */
export function handleConnections(
  server: Server,
  handle: RequestListener,
  observer: RequestObserver,
  errors: ErrorMapper,
): void {
  const handleInOrder = oneAfterTheOther(handle);
  const refuse = (socket: Duplex, error: ParserError): void => {
    const [code, requestId] = [codeOf(error), randomUUID()];
    observer.refusedByParser({ requestId, code });
    closeWith(socket, refusalText(error, code, requestId, errors.helpOf(code)));
  };
  server.on('request', handleInOrder);
  // 100 Continue is sent when the body is read.
  server.on('checkContinue', handleInOrder);
  server.on('checkExpectation', handleInOrder);
  server.on('clientError', (error: ParserError, socket: Socket) => {
    refuseParsed(error, socket, refuse);
  });
  // Asks for a tunnel, and this is no proxy. Node has let go of the socket.
  server.on('connect', ({ socket }, duplex) => {
    duplex.on('error', ignore);
    if (openResponses(socket).length > 0) duplex.destroy();
    else refuse(duplex, new Error('CONNECT is not supported'));
  });
  // What the system keeps of a response that nobody reads goes with a reset.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
}

/** Reports an error of the parser after the responses to the requests before it: after it nothing can be parsed. */
function refuseParsed(
  error: ParserError,
  socket: Socket,
  refuse: (socket: Duplex, error: ParserError) => void,
): void {
  const last = openResponses(socket).at(-1);
  if (error.code === 'ECONNRESET') socket.destroy();
  // Comes for each packet that follows the error.
  if (!socket.writable || socket.errored !== null || REFUSED.has(socket)) return;
  if (last?.req.complete === false) {
    // Its reader reports that, after the key and the limit.
    if (last.headersSent) socket.destroy();
    else breakBody(last.req, error.code);
    return;
  }
  REFUSED.add(socket);
  if (last === undefined) refuse(socket, error);
  else
    last.once('close', () => {
      if (socket.writable) refuse(socket, error);
    });
}

const REFUSED = new WeakSet<Duplex>();

/** A socket that is closed with unread bytes is reset, and the reset can overtake the response (RFC 9112, section 9.6). */
function closeWith(socket: Duplex, text: string): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

const ignore = (): void => undefined;

/** What node's HTTP parser, or its clock, says of a request that it refuses. */
interface ParserError extends Error {
  readonly code?: string;
  /** What had arrived when the parser gave up. */
  readonly rawPacket?: Buffer;
}

/** Messages that say more than that of the code, by node's code. */
const MESSAGES: Readonly<Partial<Record<string, string>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
  HPE_INVALID_URL:
    'The request target is no path or URL in ASCII; other characters have to be percent-encoded.',
};

/**
 * The response to what node's HTTP parser refuses before a request exists, whole, in the same form as every other
 * error (docs/contract.md, "Errors").
 */
function refusalText(error: ParserError, code: HttpErrorCode, requestId: string, help: string): string {
  const { status, message } = HTTP_ERRORS[code];
  const body = errorBody({ code, message: MESSAGES[error.code ?? ''] ?? message, status });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${JSON_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Link: ${helpLink(help)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function codeOf({ code, rawPacket }: ParserError): HttpErrorCode {
  if (code !== 'HPE_HEADER_OVERFLOW') return 'bad_request';
  return isAllTarget(rawPacket) ? 'uri_too_long' : 'headers_too_large';
}

/** Whether a request begins with this packet whose target alone is too long. Of one in several packets this is not known. */
function isAllTarget(packet: Buffer | undefined): boolean {
  const start = packet?.toString('latin1', 0, MAX_TARGET_BYTES) ?? '';
  return start.length === MAX_TARGET_BYTES && /^[A-Z-]+ [^ \r\n]*$/.test(start);
}
