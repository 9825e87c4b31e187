import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../key/caller.js';

/**
 * Limits what the guard refuses, so that a flood of bad keys runs into a limit and its responses carry the limit
 * headers too. A rate limiter stands behind this port.
 */
export abstract class AuthFailureLimiter {
  /**
   * Counts a refused request and puts the limit headers on its response.
   *
   * @param caller whose key lacks a scope; `undefined` for a request without an accepted key, which
   *   counts for the client's address
   * @throws whatever the limiter responds with when the limit is used up (429)
   */
  abstract charge(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
  ): Promise<void>;

  /**
   * Puts the limit headers of the client's address on a response, counting nothing: for a request whose key
   * cannot be looked up.
   */
  abstract describe(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
