import {
  createServer,
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { RequestBody } from '../body/request-body.js';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from '../options/limits.js';
import { FinishedResponse } from '../responses/responses.js';
import { expectsBody } from '../edge/request-record.js';

/** Backlog of the listener; the system may allow fewer. A client that finds it full retries after seconds. */
const MAX_UNACCEPTED = 4_096;

/**
 * Time without progress after which a connection with a running request is ended, in milliseconds. Node checks progress
 * in sending once in this time, so that it can take twice as long.
 */
const NO_PROGRESS_MS = 15_000;

/**
 * Bytes of an unread body after which nothing more is read from its connection. Node's default lets a request whose key
 * is still being checked go on for six packets of one-byte chunks, each of which takes 20 ms.
 */
const UNREAD_BODY_BYTES = 4 * 1024;

/**
 * Security fields of the API's responses: no sniffing, no content that runs, no framing. Only two, because node checks
 * each character of their values in every response; pages set further ones.
 */
const API_SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Express under Nest, as strict as the contract. `HttpServerModule` gives the server its handler; without that it does
 * not listen.
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
      // Interval at which the two timeouts above are checked; node's default is 30 s.
      connectionsCheckingInterval: 2_000,
    });
    server.timeout = NO_PROGRESS_MS;
    // One more than allowed, so that it is noticed: node silently drops further ones, a second `Authorization` included.
    // The parser sees all of them.
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
  instance.set('query parser', (text: string | null) => new URLSearchParams(text ?? ''));
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

/**
 * A response that writes all header fields with one `writeHead`. This saves half of the 10 µs that 18 fields take in
 * node's own table. Fields wait in the list that `writeHead` takes; a caller that does more than set or read a field
 * gets node's table.
 *
 * A response that is sent before its request has arrived whole ends the connection (RFC 9112, section 9.6).
 *
 * Every service has a class of its own, because Express is put between it and node's.
 *
 * @param common fields of every response
 */
export function createResponseClass(common: Readonly<Record<string, string>> = {}): typeof ServerResponse {
  const commonFields = Object.entries(common).flat();

  class ApiResponse extends ServerResponse {
    /** Alternating names and values; `undefined` once node's own table is in use. */
    private fields: OutgoingHttpHeader[] | undefined = [...commonFields];

    override setHeader(name: string, value: number | string | readonly string[]): this {
      const { fields } = this;
      if (fields === undefined || this.headersSent) return super.setHeader(name, value);
      const at = indexOf(fields, name);
      if (at < 0) fields.push(name, value as OutgoingHttpHeader);
      else fields.splice(at, 2, name, value as OutgoingHttpHeader);
      return this;
    }

    override getHeader(name: string): OutgoingHttpHeader | undefined {
      const { fields } = this;
      if (fields === undefined) return super.getHeader(name);
      const at = indexOf(fields, name);
      return at < 0 ? undefined : fields[at + 1];
    }

    override hasHeader(name: string): boolean {
      return this.fields === undefined ? super.hasHeader(name) : indexOf(this.fields, name) >= 0;
    }

    override getHeaders(): OutgoingHttpHeaders {
      this.useTable();
      return super.getHeaders();
    }

    override getHeaderNames(): string[] {
      this.useTable();
      return super.getHeaderNames();
    }

    override appendHeader(name: string, value: string | readonly string[]): this {
      this.useTable();
      return super.appendHeader(name, value);
    }

    override removeHeader(name: string): void {
      this.useTable();
      super.removeHeader(name);
    }

    override writeHead(status: number, ...more: unknown[]): this {
      // The rest of the body will not be read, so that no other request can follow it.
      if (!this.headersSent && expectsBody(this.req)) this.setHeader('Connection', 'close');
      const { fields } = this;
      if (more.length > 0 || this.headersSent) this.useTable();
      else if (fields !== undefined) more.push(fields);
      try {
        return super.writeHead(status, ...(more as [OutgoingHttpHeader[]]));
      } catch (error) {
        // A field that cannot be written must not stand in the way of the response that says so.
        if (this.fields !== undefined) this.fields = [...commonFields];
        this.statusMessage = '';
        throw error;
      }
    }

    private useTable(): void {
      const { fields } = this;
      this.fields = undefined;
      if (fields === undefined || this.headersSent) return;
      for (let i = 0; i < fields.length; i += 2) super.setHeader(String(fields[i]), fields[i + 1] as string);
    }
  }
  return ApiResponse as unknown as typeof ServerResponse;
}

/** Index of a name in a list of names and values, whatever its case; -1 without it. */
function indexOf(fields: readonly OutgoingHttpHeader[], name: string): number {
  for (let i = 0; i < fields.length; i += 2) {
    const known = fields[i] as string;
    if (known === name || (known.length === name.length && known.toLowerCase() === name.toLowerCase()))
      return i;
  }
  return -1;
}
