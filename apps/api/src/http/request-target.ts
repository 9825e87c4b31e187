import type { Request } from 'express';
import { ApiError } from '@petstore/http-kernel';

/** Most bytes of a request target; far above any that this service gives out. */
export const MAX_TARGET_BYTES = 8192;

const refusals = new WeakMap<Request, ApiError>();

/**
 * Makes a request routable, so that key and limit are checked before anything else is
 * said about it.
 *
 * - A `%` that starts no escape of valid UTF-8 is taken as the character itself; Express would refuse
 *   it before the key is checked.
 * - A target that is too long is led to the route for unknown paths, which asks {@link refusalOf}.
 *
 * @returns why it is refused at once: without Host it is not HTTP/1.1 (RFC 9112, section 3.2)
 */
export function makeRoutable(request: Request): ApiError | undefined {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return new ApiError('bad_request', { message: 'An HTTP/1.1 request needs a Host header.' });
  }
  if (request.url.length > MAX_TARGET_BYTES) {
    refusals.set(request, new ApiError('uri_too_long'));
    request.url = request.url.startsWith('/v1/') ? '/v1/too-long' : '/too-long';
  } else if (request.url.includes('%')) {
    const [path = '', ...query] = request.url.split('?');
    if (!isDecodable(path)) request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  return undefined;
}

/** Why a request was led away from where it wanted to go, if it was. */
export function refusalOf(request: Request): ApiError | undefined {
  return refusals.get(request);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
