import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { byAddress, type SubjectOf } from './address.js';
import type { RateLimitErrorCode, RateLimitResult, WindowStatus } from './rate-limit-result.js';
import type { RateLimiter } from './rate-limiter.js';
import { DAY, MINUTE, type RateLimits, type RateLimitSubjects } from './subject.js';

const STATUS = 429;

const MESSAGES: Readonly<Record<RateLimitErrorCode, string>> = {
  rate_limit_exceeded: 'Too many requests. Try again after the time in Retry-After.',
  api_key_temporarily_banned: 'Banned for going on after refusals. Try again after the time in Retry-After.',
};

/** The body of a refusal, in each framework. */
export interface RateLimitExceededBody {
  readonly code: RateLimitErrorCode;
  readonly message: string;
  readonly status: 429;
}

/**
 * A request was refused: status 429. Its header fields have been set before it is thrown. Without a stack: it is no
 * fault of the program, and a flood of refusals stays cheap.
 */
export class RateLimitExceededError extends Error {
  override readonly name = 'RateLimitExceededError';
  readonly status = STATUS;
  /** What Fastify and others look for. */
  readonly statusCode = STATUS;
  readonly expose = true;
  readonly code: RateLimitErrorCode;
  readonly result: RateLimitResult;

  constructor(result: RateLimitResult) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const code = result.refusal ?? 'rate_limit_exceeded';
    super(MESSAGES[code]);
    Error.stackTraceLimit = stackTraceLimit;
    this.result = result;
    this.code = code;
  }

  /** As an `HttpException` of Nest, which it is once `@petstore/rate-limit/nest` is loaded. */
  getStatus(): number {
    return STATUS;
  }

  /** The body of the response. */
  getResponse(): RateLimitExceededBody {
    return { code: this.code, message: this.message, status: STATUS };
  }
}

/** The part of a response that gets header fields. */
export interface HeaderTarget {
  setHeader(name: string, value: string | number): unknown;
}

/**
 * Lets one request consume, and sets the header fields of its response, whatever that will be.
 *
 * @throws RateLimitExceededError (as a rejection) when the request is refused
 */
export function limitRequest(
  limiter: RateLimiter,
  response: HeaderTarget,
  subjects: RateLimitSubjects,
): Promise<void> {
  return limiter.consume(subjects).then((result) => {
    setRateLimitHeaders(response, result);
    if (!result.admitted) throw new RateLimitExceededError(result);
  });
}

/**
 * Writes what a result means for the client: the `X-RateLimit-*` trio and `Retry-After` (docs/contract.md,
 * "Limits"), and `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10) for both windows.
 */
export function setRateLimitHeaders(response: HeaderTarget, result: RateLimitResult): void {
  const { subject, tightestWindow, minute, day } = result;
  response.setHeader('X-RateLimit-Limit', tightestWindow.limit);
  response.setHeader('X-RateLimit-Remaining', tightestWindow.remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil((result.now + tightestWindow.resetMs) / 1000));
  response.setHeader('RateLimit-Policy', policyOf(subject.limits));
  response.setHeader('RateLimit', `${itemOf(minute)}, ${itemOf(day)}`);
  if (!result.admitted) response.setHeader('Retry-After', result.retryAfterSeconds);
}

function itemOf({ window, remaining, resetMs }: WindowStatus): string {
  return `"${window.name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
}

function policyOf({ perMinute, perDay }: RateLimits): string {
  return `"${MINUTE.name}";q=${perMinute};w=${MINUTE.seconds}, "${DAY.name}";q=${perDay};w=${DAY.seconds}`;
}

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
  return (request, response, next) => {
    const subjects = subjectOf(request);
    if (subjects === undefined) {
      next();
      return;
    }
    limitRequest(limiter, response, subjects).then(
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
