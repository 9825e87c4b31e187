import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ApiError } from '../errors/api-error.js';
import { inKib } from '../limits.js';

/** An event of requests: the rest of the body will never come. */
const BROKEN = 'broken';

/** Code of the parser's error about a body. */
const PARSER_CODE = Symbol('parserCode');
type RequestWithBody = IncomingMessage & { [PARSER_CODE]?: string };

/** Tells the reader of a request's body, now or later, what node's parser says of it. @param code of the parser's error */
export function breakBody(request: RequestWithBody, code = ''): void {
  request[PARSER_CODE] ??= code;
  request.emit(BROKEN);
}

/**
 * Reads the body of a request; empty where there is none. Trailers are ignored. How long it may take is the server's
 * `requestTimeout`.
 *
 * @param most bytes
 * @param proceed called unless the body is announced to be too large: a client may wait to be asked for it
 * @throws ApiError payload_too_large; headers_too_large for trailers; bad_request when the body breaks off
 */
export async function readBody(request: RequestWithBody, most: number, proceed: () => void): Promise<Buffer> {
  const { 'content-length': length } = request.headers;
  if (!(Number(length) > most)) proceed();
  try {
    return await Promise.race([
      getRawBody(request, { length: length ?? null, limit: most }),
      untilBroken(request),
    ]);
  } catch (error) {
    throw bodyError(request, most, error);
  }
}

/** Rejects when the parser refuses the body. */
function untilBroken(request: RequestWithBody): Promise<never> {
  return new Promise((_, reject) => {
    if (request[PARSER_CODE] !== undefined) reject(new Error('broken'));
    else request.once(BROKEN, reject);
  });
}

function bodyError({ [PARSER_CODE]: code }: RequestWithBody, most: number, cause: unknown): ApiError {
  const { status } = Object(cause) as { readonly status?: unknown };
  if (status === 413 || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new ApiError('payload_too_large', { message: `The request body may be at most ${inKib(most)}.` });
  // Trailers.
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large');
  return new ApiError('bad_request', { message: 'The request body could not be read to its end.' });
}
