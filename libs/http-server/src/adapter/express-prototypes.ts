import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import { createResponseClass } from './response-class.js';

/**
 * Classes for node's HTTP server whose instances Express can use as they are.
 *
 * Express sets the prototype of every request and response anew, which makes V8 forget what it has learnt
 * about their shape: about half of what a request costs in the process. Here node's server makes them with
 * the right prototype from the start, and what Express sets is what they have already.
 *
 * @param common header fields of every response
 */
export function createMessageClasses(
  instance: Express,
  common: Readonly<Record<string, string>>,
): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } {
  class ApiRequest extends IncomingMessage {}
  const ApiResponse = createResponseClass(common);
  // Express' own methods stand between ours and node's.
  Object.setPrototypeOf(ApiRequest.prototype, instance.request);
  Object.setPrototypeOf(ApiResponse.prototype, instance.response);
  instance.request = ApiRequest.prototype as unknown as Express['request'];
  instance.response = ApiResponse.prototype as Express['response'];
  return { IncomingMessage: ApiRequest, ServerResponse: ApiResponse };
}
