import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';

/** Longest that a body may take to arrive, from the moment when its reading begins, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Refuses a body that is not read to its end; what is left of it is on the connection. */
const CLOSE = { Connection: 'close' };

/**
 * Reads the body of a request; empty where there is none. Trailers are ignored.
 *
 * @param most bytes; more are refused, as soon as they are announced or have arrived
 * @param proceed called when nothing speaks against reading it: a client may wait to be asked for it
 * @throws ApiError payload_too_large; bad_request when the body breaks off, or is not there within 5 s
 */
export async function readBody(
  request: IncomingMessage,
  most: number,
  proceed: () => void = () => undefined,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most) throw tooLarge(most);
  if (request.destroyed) throw brokenOff();
  proceed();
  return new Promise((resolve, reject) => {
    // Pieces are copied: to keep thousands of them would take a hundred times their bytes.
    const body = Buffer.allocUnsafe(announced === 0 ? most : announced);
    let length = 0;
    const settle = (error?: ApiError): void => {
      clearTimeout(timer);
      request.off('data', add).off('end', end).off('error', breakOff).off('close', breakOff);
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
    // `close` comes when the client disconnects, and when the connection is closed after a syntax error in the body.
    const breakOff = (): void => {
      settle(brokenOff());
    };
    const timer = setTimeout(() => {
      settle(late());
    }, TIMEOUT_MS);
    request.on('data', add).on('end', end).on('error', breakOff).on('close', breakOff);
  });
}

function tooLarge(most: number): ApiError {
  const message = `The request body may take at most ${most / 1024} KiB.`;
  return new ApiError('payload_too_large', { message, headers: CLOSE });
}

function late(): ApiError {
  const message = `The request body did not arrive within ${TIMEOUT_MS / 1_000} seconds.`;
  return new ApiError('bad_request', { message, headers: CLOSE });
}

function brokenOff(): ApiError {
  return new ApiError('bad_request', { message: 'The request body could not be read to its end.' });
}
