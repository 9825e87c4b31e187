import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { HttpErrorCode } from '../errors/http.errors.js';
import { inKib } from '../options/limits.js';

/** An event of requests: the rest of the body will never come. */
export const BROKEN = 'broken';

/** Codes of node's parser for a body that is too large; any other one is a bad request. */
const TOO_LARGE: Readonly<Record<string, HttpErrorCode>> = {
  // Trailers.
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

const PARSER_CODE = Symbol('parserCode');
type RequestWithBody = IncomingMessage & { [PARSER_CODE]?: string };

/**
 * Tells the reader of a request's body, now or later, that the body is malformed or has ended early.
 *
 * @param code of the parser's error
 */
export function breakBody(request: RequestWithBody, code = ''): void {
  request[PARSER_CODE] ??= code;
  request.emit(BROKEN);
}

function isBodyBroken(request: RequestWithBody): boolean {
  return request.destroyed || request[PARSER_CODE] !== undefined;
}

/** The response to a request whose body cannot be read to its end. */
function brokenBodyError({ [PARSER_CODE]: parserCode = '' }: RequestWithBody): ApiError {
  const code = TOO_LARGE[parserCode];
  if (code !== undefined) return new ApiError(code);
  return new ApiError('bad_request', { message: 'The request body could not be read to its end.' });
}

/** Longest that a body may take to arrive, from the moment when its reading begins, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** What ends a body early: `close` when the client disconnects. */
const BREAKS = ['error', 'close', BROKEN];

/** Refuses a body that is not read to its end; what is left of it is on the connection. */
const CLOSE = { Connection: 'close' };

/**
 * Reads the body of a request; empty where there is none. Trailers are ignored.
 *
 * @param most bytes; more are refused, as soon as they are announced or have arrived
 * @param proceed called when nothing speaks against reading it: a client may wait to be asked for it
 * @throws ApiError payload_too_large; headers_too_large for trailers; bad_request when the body breaks off, or is not
 * there within 5 s
 */
export async function readBody(
  request: IncomingMessage,
  most: number,
  proceed: () => void = () => undefined,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most) throw tooLarge(most);
  if (isBodyBroken(request)) throw brokenBodyError(request);
  proceed();
  return new Promise((resolve, reject) => {
    // Pieces are copied: to keep thousands of them would take a hundred times their bytes.
    const body = Buffer.allocUnsafe(announced === 0 ? most : announced);
    let length = 0;
    const settle = (error?: ApiError): void => {
      clearTimeout(timer);
      request.off('data', add).off('end', end);
      for (const event of BREAKS) request.off(event, breakOff);
      if (error === undefined) resolve(body.subarray(0, length));
      else reject(error);
    };
    const add = (piece: Buffer): void => {
      piece.copy(body, length);
      length += piece.length;
      // What still arrives flows on, and is discarded.
      if (length > most) settle(tooLarge(most));
    };
    const end = (): void => {
      settle();
    };
    const breakOff = (): void => {
      settle(brokenBodyError(request));
    };
    const timer = setTimeout(() => {
      settle(late());
    }, TIMEOUT_MS);
    request.on('data', add).on('end', end);
    for (const event of BREAKS) request.on(event, breakOff);
  });
}

function tooLarge(most: number): ApiError {
  const message = `The request body may take at most ${inKib(most)}.`;
  return new ApiError('payload_too_large', { message, headers: CLOSE });
}

function late(): ApiError {
  const message = `The request body did not arrive within ${TIMEOUT_MS / 1_000} seconds.`;
  return new ApiError('bad_request', { message, headers: CLOSE });
}
