import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { RequestBody } from '../body/request-body.js';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from '../options/limits.js';
import { Query } from '../request/query.js';
import { FinishedResponse } from '../responses/responses.js';
import { createMessageClasses } from './message-classes.js';

/**
 * Most connections that wait to be accepted; the system may allow fewer. A client that finds no room tries again
 * after seconds, and a burst of clients is soon accepted.
 */
const MAX_UNACCEPTED = 4_096;

/**
 * Time without progress after which a connection with a request at work is ended, sending included, in
 * milliseconds. Node notices progress in sending once in this time, so that it can be twice as much.
 */
const NO_PROGRESS_MS = 15_000;

/**
 * With so many bytes of a body buffered and unread, nothing more is read from its connection. Node's own mark
 * lets a request that is still being checked go on for six packets of one-byte chunks, each of which takes 20 ms.
 */
const UNREAD_BODY_BYTES = 4 * 1024;

/**
 * Tell browsers that no response of the API is anything but what its type says, and that none is to be run or framed. Two,
 * because node checks each value of each response character by character; pages set those that pages need.
 */
const API_SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Express under Nest, with the strictness that an exact contract asks for. `HttpServerModule` gives the server its handler;
 * without that it does not listen.
 */
export class StrictExpressAdapter extends ExpressAdapter {
  constructor() {
    super(strictExpress());
  }

  override initHttpServer(): void {
    const server = createServer({
      ...createMessageClasses(this.getInstance<Express>(), API_SECURITY_HEADERS),
      maxHeaderSize: MAX_HEADER_BYTES,
      highWaterMark: UNREAD_BODY_BYTES,
      // Refused by our own middleware instead, in the contract's form.
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // How late the two time-outs before may be noticed; node looks every 30 s of its own accord.
      connectionsCheckingInterval: 2_000,
    });
    server.timeout = NO_PROGRESS_MS;
    // One more than there may be, so that it shows: node drops what is beyond without a word, a second `Authorization`
    // included; the length of the body it does not take from these.
    server.maxHeadersCount = MAX_HEADER_FIELDS + 1;
    this.httpServer = server;
  }

  override listen(port: string | number, callback?: () => void): Server;
  override listen(port: string | number, hostname: string, callback?: () => void): Server;
  override listen(port: string | number, where?: string | (() => void), callback?: () => void): Server {
    const server = this.httpServer as Server;
    if (server.listenerCount('request') === 0)
      throw new Error('HttpServerModule is missing: nothing would look at what arrives.');
    const [host, done] = typeof where === 'string' ? [where, callback] : [undefined, where];
    return server.listen({ port: Number(port), host, backlog: MAX_UNACCEPTED }, done);
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
  instance.set('query parser', (text: string | null) => new Query(text));
  Object.defineProperty(instance.request, 'body', {
    get(this: Request) {
      return new RequestBody(this, this.res as Response);
    },
  });
  return instance;
}
