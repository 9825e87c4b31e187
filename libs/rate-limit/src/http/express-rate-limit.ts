import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RateLimitResult } from '../limiter/rate-limit-result.js';
import { RateLimitExceededError, setRateLimitHeaders } from './http-rate-limiter.js';
import { byAddress, type SubjectOf } from '../address/client-address.js';
import type { RateLimiter } from '../limiter/rate-limiter.js';

/** Middleware as Express, Connect and others call it. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** How requests are limited. */
export interface ExpressRateLimitOptions {
  /** Who is charged for a request; the client's address unless given. */
  readonly subjectOf?: SubjectOf;
  /**
   * Responds to a refused request, whose header fields have been set; `next(error)` hands it to the application's error
   * handler. Without this, it gets 429 with `{"code", "message", "status"}`.
   */
  readonly onRefused?: (error: RateLimitExceededError, ...args: Parameters<Middleware>) => void;
}

const MESSAGES = {
  rate_limit_exceeded: 'Too many requests. Try again after the time in Retry-After.',
  api_key_temporarily_banned: 'Banned for going on after refusals. Try again after the time in Retry-After.',
} as const;

/** Limits requests in Express: `app.use(expressRateLimit(limiter))`. Every response gets the header fields. */
export function expressRateLimit(limiter: RateLimiter, options: ExpressRateLimitOptions = {}): Middleware {
  const { subjectOf = byAddress(), onRefused } = options;
  return (request, response, next) => {
    const subject = subjectOf(request);
    if (subject === undefined) {
      next();
      return;
    }
    // The limiter never rejects.
    void limiter.charge(subject).then((result) => {
      setRateLimitHeaders(response, result);
      if (result.admitted) next();
      else if (onRefused) onRefused(new RateLimitExceededError(result), request, response, next);
      else respond(response, result);
    });
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
    limit(request, response, () => {
      listener(request, response);
    });
  };
}

function respond(response: ServerResponse, { refusal: code = 'rate_limit_exceeded' }: RateLimitResult): void {
  const body = JSON.stringify({ code, message: MESSAGES[code], status: 429 });
  response.writeHead(429, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
