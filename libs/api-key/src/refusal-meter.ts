import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from './caller.js';

/**
 * Meters what the guard refuses, so that its answers carry the limit headers too and a flood of bad
 * keys runs into a limit. The limiter of the service stands behind this port.
 */
export interface RefusalMeter {
  /**
   * Counts a refused request and puts the limit headers on its answer.
   *
   * @param caller whose key lacks a scope; `undefined` for a request without an accepted key, which
   *   counts for the client's address
   * @throws whatever the limiter answers with when the limit is used up (429)
   */
  charge(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined): Promise<void>;

  /**
   * Whether the client's address has used up what it may send without an accepted key, counting
   * nothing. Asked before a key that is not in the cache is looked up, so that made-up keys do not
   * reach the database. Puts the limit headers of the address on the answer, which holds if the look-up
   * fails; an accepted request overwrites them.
   */
  isExhausted(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}
