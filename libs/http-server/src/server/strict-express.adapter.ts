import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { RequestBody } from '../body/request-body.js';
import { Query } from '../context/query.js';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS, MAX_TARGET_BYTES } from '../errors/http.errors.js';
import { FinishedResponse } from '../responses/responses.js';

/**
 * Bytes of an unread body after which nothing more is read from its connection. Node's default lets a request whose key
 * is still being checked go on for six packets of one-byte chunks, each of which takes 20 ms.
 */
const UNREAD_BODY_BYTES = 4 * 1024;

/** Express under Nest, as strict as the contract. `HttpServerModule` gives the server its handler. */
export class StrictExpressAdapter extends ExpressAdapter {
  constructor() {
    super(strictExpress());
  }

  override initHttpServer(): void {
    const server = createServer({
      ...createMessageClasses(this.getInstance<Express>()),
      // Node counts the target and the header fields together; `requireForm` has a limit for each.
      maxHeaderSize: MAX_TARGET_BYTES + MAX_HEADER_BYTES,
      highWaterMark: UNREAD_BODY_BYTES,
      // Refused by our own middleware instead, in the contract's form.
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      // Interval at which the two timeouts above are checked; node's default is 30 s.
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 65_000,
    });
    // Without progress: a response that nobody reads.
    server.timeout = 30_000;
    // One more than allowed, so that it is noticed: node silently drops further ones, a second `Authorization` included.
    // The parser sees all of them.
    server.maxHeadersCount = MAX_HEADER_FIELDS + 1;
    this.httpServer = server;
  }

  /** Handlers return an {@link FinishedResponse}, which knows how to write itself. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!(body instanceof FinishedResponse)) return super.reply(response, body, statusCode) as unknown;
    body.send(response.req, response);
    return response;
  }
}

function strictExpress(): Express {
  const instance = express();
  // Must be set before the router exists, that is before anything is mounted.
  instance.enable('strict routing');
  instance.enable('case sensitive routing');
  instance.disable('x-powered-by');
  instance.disable('etag');
  instance.set('query parser', (text: string | null) => new Query(text ?? ''));
  Object.defineProperty(instance.request, 'body', {
    get(this: Request) {
      return new RequestBody(this, this.res as Response);
    },
  });
  return instance;
}

/**
 * Classes for node's HTTP server whose instances Express can use as they are. Express sets the prototype of every
 * request and response, which invalidates what V8 has optimized: about half of what a request costs in the process.
 * Here node's server makes them with that prototype, so that Express changes nothing.
 */
function createMessageClasses(instance: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class ApiRequest extends IncomingMessage {}
  class ApiResponse extends ServerResponse {}
  // Express' own methods stand between ours and node's.
  Object.setPrototypeOf(ApiRequest.prototype, instance.request);
  Object.setPrototypeOf(ApiResponse.prototype, instance.response);
  instance.request = ApiRequest.prototype as unknown as Express['request'];
  instance.response = ApiResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: ApiRequest, ServerResponse: ApiResponse as unknown as typeof ServerResponse };
}
