import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Answer } from '@petstore/http-kernel';
import { answerClientError } from './client-error.js';
import { noteExpectation } from './expect-continue.js';
import { nativeClasses } from './native-prototypes.js';

/** Most bytes of a request line and its header fields together, as node's parser counts them. */
export const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Most connections that wait to be accepted; the system may allow fewer. A client that finds no room tries again
 * after seconds, and a burst of clients is soon accepted.
 */
const MOST_UNACCEPTED = 4_096;

/** Express under Nest, with the strictness that the contract asks for. */
export class PetStoreExpressAdapter extends ExpressAdapter {
  constructor() {
    super(strictExpress());
  }

  override initHttpServer(): void {
    const instance = this.getInstance<Express>();
    this.httpServer = listenStrictly(
      createServer(
        {
          ...nativeClasses(instance),
          maxHeaderSize: MAX_HEADER_BYTES,
          // Refused by our own middleware instead, in the contract's form.
          requireHostHeader: false,
          headersTimeout: 10_000,
          requestTimeout: 30_000,
          keepAliveTimeout: 65_000,
          // How late the two time-outs before may be noticed; node looks every 30 s of its own accord.
          connectionsCheckingInterval: 2_000,
        },
        instance,
      ),
    );
  }

  override listen(port: string | number, callback?: () => void): Server;
  override listen(port: string | number, hostname: string, callback?: () => void): Server;
  override listen(port: string | number, where?: string | (() => void), callback?: () => void): Server {
    const [host, done] = typeof where === 'string' ? [where, callback] : [undefined, where];
    return (this.httpServer as Server).listen({ port: Number(port), host, backlog: MOST_UNACCEPTED }, done);
  }

  /** Handlers return an {@link Answer}, which knows how to write itself. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!(body instanceof Answer)) return super.reply(response, body, statusCode) as unknown;
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
  instance.set('query parser', 'simple');
  return instance;
}

function listenStrictly(server: Server): Server {
  // A client that says it will send no more still wants its answers (RFC 9112, section 9.6).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('clientError', answerClientError);
  // The client waits with its body until it is asked for, by what reads it.
  server.on('checkContinue', (request, response) => {
    noteExpectation(request);
    server.emit('request', request, response);
  });
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // CONNECT asks for a tunnel; this is no proxy.
  server.on('connect', (_request, socket) => {
    answerClientError(new Error('CONNECT is not supported'), socket);
  });
  return server;
}
