import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { byAddress, type SubjectOf } from '../address/client-address.js';
import type { RateLimiter } from '../rate-limiter.js';
import { HttpRateLimiter, RateLimitExceededError } from './http-rate-limiter.js';

/** Middleware as Express, Connect and others call it. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** How requests are limited. */
export interface ExpressRateLimitOptions {
  /** What a request consumes from; the client's address unless given. */
  readonly subjectOf?: SubjectOf;
  /**
   * Responds to a refused request, whose header fields have been set; `next(error)` hands it to the application's error
   * handler. Without this, it gets 429 with `{"code", "message", "status"}`.
   */
  readonly onRefused?: (error: RateLimitExceededError, ...args: Parameters<Middleware>) => void;
}

/** Limits requests in Express: `app.use(expressRateLimit(limiter))`. Every response gets the header fields. */
export function expressRateLimit(limiter: RateLimiter, options: ExpressRateLimitOptions = {}): Middleware {
  const { subjectOf = byAddress(), onRefused = respond } = options;
  const http = new HttpRateLimiter(limiter);
  return (request, response, next) => {
    const subjects = subjectOf(request);
    if (subjects === undefined) {
      next();
      return;
    }
    http.consume(response, subjects).then(
      () => {
        next();
      },
      (error: unknown) => {
        if (error instanceof RateLimitExceededError) onRefused(error, request, response, next);
        else next(error);
      },
    );
  };
}

/** The same for a server of node:http: `createServer(rateLimitHttp(limiter, listener))`. */
export function rateLimitHttp(
  limiter: RateLimiter,
  listener: RequestListener,
  options?: ExpressRateLimitOptions,
): RequestListener {
  const limit = expressRateLimit(limiter, options);
  return (request, response) => {
    limit(request, response, (error) => {
      // Only limits that are no numbers: a mistake in the program, as an error in the listener would be.
      if (error instanceof Error) response.destroy(error);
      else listener(request, response);
    });
  };
}

function respond(error: RateLimitExceededError, _request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(error.getResponse());
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
